// SPDX-License-Identifier: Apache-2.0

public import NIOCore
import Synchronization

/// Finds out whether event loops make progress: each is asked to run a closure, and one that does not within a second
/// is stuck.
///
/// It does nothing until it is asked.
public final class EventLoopWatch: Sendable {
    /// The time in which a loop that makes progress answers: one second.
    public static let limit = TimeAmount.seconds(1)

    private let loops: [any EventLoop]
    private let limit: TimeAmount
    private let state: Mutex<StateMachine<EventLoopPromise<Int>>>

    /// The number of loops.
    public var count: Int { loops.count }

    /// Watches the loops of a group.
    public convenience init(_ group: any EventLoopGroup) {
        self.init(group, limit: Self.limit)
    }

    /// Watches with another time limit, for tests.
    init(_ group: any EventLoopGroup, limit: TimeAmount) {
        loops = Array(group.makeIterator())
        self.limit = limit
        state = Mutex(StateMachine(loops: loops.count, limit: limit))
    }

    /// Asks each loop.
    /// - Parameter eventLoop: A loop that is not one of those that are watched, which keeps the time.
    /// - Returns: The number of loops that are stuck, at once if every loop answers. The future does not fail while the
    ///   loop that keeps the time runs.
    public func stuckLoops(on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
        let promise = eventLoop.makePromise(of: Int.self)
        switch state.withLock({ $0.begin(now: eventLoop.now, waiter: promise) }) {
        case .known(let stuck):
            promise.succeed(stuck)
        case .wait(let ping, let number):
            let expiry = eventLoop.scheduleTask(in: limit) { [self] in
                let now = eventLoop.now
                if let (waiter, stuck) = state.withLock({ $0.expired(number, now: now) }) { waiter.succeed(stuck) }
            }
            // A loop that ends drops its timers, and the caller must not wait forever.
            expiry.futureResult.whenFailure { [self] error in
                let now = eventLoop.now
                if let (waiter, _) = state.withLock({ $0.expired(number, now: now) }) { waiter.fail(error) }
            }
            promise.futureResult.whenComplete { _ in expiry.cancel() }
            for loop in ping {
                loops[loop].execute { [self] in
                    for waiter in state.withLock({ $0.answered(loop) }) { waiter.succeed(0) }
                }
            }
        }
        return promise.futureResult
    }
}
