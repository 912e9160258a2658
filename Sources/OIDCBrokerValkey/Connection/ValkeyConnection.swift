// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// A connection to a server, used on its event loop only. Commands are sent without waiting for earlier answers, and
/// all commands of one turn of the event loop in one write.
///
/// If standbys are waited for, one `WAIT` follows the commands of each flush that write, and nothing more is flushed
/// until it is answered: a `WAIT` blocks the whole connection in the server, so several of them would be waited for one
/// after another.
///
/// Add it to a channel that is active.
final class ValkeyConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How many bytes that were read are kept in the buffer before it is compacted.
    private static let compactionLimit = 65_536

    let eventLoop: any EventLoop
    /// What is called once, when the connection ends.
    var onEnd: (() -> Void)?
    private var machine: StateMachine<AnswerPromise>
    private var decoder = RESPDecoder()
    private var context: ChannelHandlerContext?
    private var timer: Scheduled<Void>?
    /// What was received and not decoded yet.
    private var received = ByteBuffer()
    /// The commands of this turn of the event loop.
    private var pending = ByteBuffer()
    private var isFlushScheduled = false

    /// - Parameter standbys: The number of standbys that must have what is written; 0 if none is waited for.
    init(eventLoop: any EventLoop, standbys: Int = 0) {
        self.eventLoop = eventLoop
        machine = StateMachine(standbys: standbys)
    }

    /// Whether commands are taken.
    var isOpen: Bool { machine.isOpen }

    /// Sends a command.
    /// - Returns: Its answer, which may be an error of the server.
    func send(_ command: RESPCommand) -> EventLoopFuture<RESPValue> {
        let promise = eventLoop.makePromise(of: RESPValue.self)
        enqueue(command, .answer(promise), writes: false)
        return promise.futureResult
    }

    /// Sends a command that writes.
    /// - Returns: Its answer, which may be an error of the server, once it is known how many standbys have it.
    func write(_ command: RESPCommand) -> EventLoopFuture<ConfirmedAnswer> {
        let promise = eventLoop.makePromise(of: ConfirmedAnswer.self)
        enqueue(command, .confirmedAnswer(promise), writes: true)
        return promise.futureResult
    }

    private func enqueue(_ command: RESPCommand, _ promise: AnswerPromise, writes: Bool) {
        switch machine.send(promise, byteCount: command.byteCount, writes: writes, now: eventLoop.now) {
        case .refuse(let error):
            promise.fail(error)
        case .write(let timer):
            command.write(into: &pending)
            if let timer { wake(at: timer) }
            scheduleFlush()
        }
    }

    /// Closes the connection and fails what waits for an answer.
    func close(_ error: ValkeyStoreError) {
        guard let end = machine.end(error) else { return }
        finish(end)
    }

    // MARK: The channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        // No event tells the end of a channel that ended before.
        if !context.channel.isActive { close(.closed) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        close(.closed)
    }

    func channelInactive(context: ChannelHandlerContext) {
        close(.closed)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        close(.closed.with("\(error)"))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard machine.isOpen else { return }
        var bytes = unwrapInboundIn(data)
        if received.readableBytes == 0 {
            received = bytes
        } else {
            received.writeBuffer(&bytes)
        }
        decode()
    }

    private func decode() {
        do throws(RESPError) {
            while machine.isOpen, let answer = try decoder.next(&received) { deliver(answer) }
        } catch {
            return close(.unexpectedAnswer.with("no RESP2: \(error)"))
        }
        if !machine.isOpen || received.readableBytes == 0 {
            received = ByteBuffer()
        } else if received.readerIndex > Self.compactionLimit {
            received.discardReadBytes()
        }
    }

    private func deliver(_ answer: RESPValue) {
        switch machine.received(answer) {
        case .deliver(let promise):
            promise.succeed(answer)
        case .deliverAndClose(let promise, let end):
            promise.succeed(answer)
            finish(end)
        case .release(let answers, let isConfirmed):
            for held in answers { held.waiter.succeed(held.answer, isConfirmed: isConfirmed) }
            if pending.readableBytes > 0 { scheduleFlush() }
        case .close(let end):
            finish(end)
        case .hold, .drop:
            break
        }
    }

    private func finish(_ end: StateMachine<AnswerPromise>.End) {
        timer?.cancel()
        timer = nil
        pending = ByteBuffer()
        // The connection is given up first, because a waiting caller may send again at once.
        let onEnd = self.onEnd
        self.onEnd = nil
        onEnd?()
        context?.close(promise: nil)
        for promise in end.waiters { promise.fail(end.error) }
    }

    // MARK: The turn of the event loop

    private func scheduleFlush() {
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        eventLoop.assumeIsolated().execute { self.flush() }
    }

    private func flush() {
        isFlushScheduled = false
        guard pending.readableBytes > 0, let context else { return }
        switch machine.beginWrite(now: eventLoop.now) {
        case .hold: break
        case .write(let confirmation, let timer):
            var bytes = pending
            pending = ByteBuffer()
            confirmation?.write(into: &bytes)
            if let timer { wake(at: timer) }
            context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        }
    }

    // MARK: Time

    private func wake(at time: NIODeadline) {
        timer = eventLoop.assumeIsolated().scheduleTask(deadline: time) {
            self.timer = nil
            self.look()
        }
    }

    private func look() {
        switch machine.timerFired(now: eventLoop.now) {
        case .none: break
        case .wait(let time): wake(at: time)
        case .close(let end): finish(end)
        }
    }
}

@available(*, unavailable)
extension ValkeyConnection: Sendable {}
