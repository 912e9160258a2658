// SPDX-License-Identifier: Apache-2.0

public import Logging
public import NIOCore
import OpenIDRelyingParty
public import SingleUse
import Synchronization

/// A single-use store on a server of Valkey or Redis, version 7 or later, which several replicas of the broker share.
///
/// Each event loop that uses the store has a connection of its own, which is opened by the first operation and reopened
/// after it ended. The server must not evict entries: its `maxmemory-policy` is `noeviction`. A server that evicts, is
/// older, or is a replica is refused, and every operation fails. Sentinels, if there are any, are asked for the primary
/// at each new connection, and a subscription to one of them announces a failover.
///
/// If the store waits for standbys, a write that fewer of them acknowledge is reported as unconfirmed: a failover could
/// lose it.
///
/// Owners are ignored. Event loops must be those of NIOPosix. Call ``shutdown()`` when the store is no longer used.
public final class ValkeySingleUseStore: SingleUseEngine {
    private struct Loops {
        var known: [ObjectIdentifier: ValkeyLoop] = [:]
        var subscriber: SentinelSubscriber?
        var isShutDown = false
    }

    private let loops = Mutex(Loops())
    private let password: Mutex<Secret?>
    private let configuration: ValkeyConfiguration
    private let commands: ValkeyCommands
    private let refusals: RefusalLog
    /// The engine, as `auth.store.kind` names it.
    package static let kind = "valkey"
    /// The time of the server.
    package let serverTime = ServerTime()

    /// Creates a store. It connects with the first operation.
    /// - Parameters:
    ///   - configuration: The server, and the user and password for it.
    ///   - logger: Where a server that cannot be used is logged, at most once a minute.
    public init(_ configuration: ValkeyConfiguration, logger: Logger) {
        self.configuration = configuration
        password = Mutex(configuration.password.map { Secret($0) })
        commands = ValkeyCommands(prefix: configuration.prefix, isConfirmed: configuration.standbysToWaitFor > 0)
        refusals = RefusalLog(logger)
    }

    /// Takes another password for connections that are made from now on; `nil` if the server demands none.
    public func use(password: String?) {
        self.password.withLock { $0 = password.map { Secret($0) } }
    }

    /// Closes all connections. Operations under way fail, and so does every later one.
    ///
    /// Call it before the event loops are shut down.
    public func shutdown() async {
        let (known, subscriber) = loops.withLock { loops -> ([ValkeyLoop], SentinelSubscriber?) in
            loops.isShutDown = true
            let (known, subscriber) = (Array(loops.known.values), loops.subscriber)
            loops.known = [:]
            loops.subscriber = nil
            return (known, subscriber)
        }
        // It fails only on an event loop that is shut down itself.
        if let subscriber { try? await subscriber.shutdown().get() }
        for loop in known { try? await loop.shutdown().get() }
    }

    /// Claims a key.
    public func claim(
        _ key: SingleUseKey, attempt: SingleUseAttempt, owner: SingleUseOwner?, lifetime: Duration,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseClaim> {
        let command = commands.claim(key, attempt: attempt, lifetime: lifetime)
        let question = commands.claimant(of: key)
        // A read is not acknowledged by standbys.
        let isConfirmed = configuration.standbysToWaitFor <= 0
        return with(eventLoop) { loop in
            loop.write(command)
                .flatMapThrowing { answer -> SingleUseClaim? in
                    try ValkeyAnswers.claim(answer.value, by: attempt)
                        .map { ValkeyAnswers.claim($0, isConfirmed: answer.isConfirmed) }
                }
                .flatMap { claim in
                    if let claim { return loop.eventLoop.makeSucceededFuture(claim) }
                    return loop.send(question).flatMapThrowing { answer in
                        let claim = try ValkeyAnswers.claim(ofClaimant: answer, by: attempt)
                        return ValkeyAnswers.claim(claim, isConfirmed: isConfirmed)
                    }
                }
        }
    }

    /// Stores a value.
    public func put(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUsePut> {
        guard value.count <= SingleUseKey.longestValue else { return eventLoop.makeSucceededFuture(.full) }
        let command = commands.put(key, value: value, lifetime: lifetime)
        return with(eventLoop) { loop in
            loop.write(command).flatMapThrowing { answer in try ValkeyAnswers.put(answer) }
        }
    }

    /// Claims a key and returns its value, in one step.
    public func take(
        _ key: SingleUseKey, attempt: SingleUseAttempt, claimLifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseTake> {
        let command = commands.take(key, attempt: attempt, claimLifetime: claimLifetime)
        let removal = commands.removeTaken(key)
        return with(eventLoop) { loop in
            loop.write(command).flatMapThrowing { answer in
                let take = try ValkeyAnswers.take(answer)
                // No caller waits for it: what is not removed expires, and the claim keeps other attempts from it. A
                // take that standbys did not confirm is repeated by the same attempt, which must find the value.
                if take.value != nil, take.isConfirmed { _ = loop.send(removal) }
                return take
            }
        }
    }

    /// Returns a value without claiming its key.
    public func read(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        let command = commands.read(key)
        return with(eventLoop) { loop in
            loop.send(command).flatMapThrowing { answer in try ValkeyAnswers.read(answer) }
        }
    }

    /// Removes a value if it is the given one.
    public func remove(
        _ key: SingleUseKey, ifEqual value: [UInt8], on eventLoop: any EventLoop
    ) -> EventLoopFuture<Void> {
        let command = commands.remove(key, ifEqual: value)
        return with(eventLoop) { loop in
            loop.send(command).flatMapThrowing { answer in try ValkeyAnswers.remove(answer) }
        }
    }

    /// Returns whether a key is claimed.
    public func isClaimed(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        let command = commands.isClaimed(key)
        return with(eventLoop) { loop in
            loop.send(command).flatMapThrowing { answer in try ValkeyAnswers.isClaimed(answer) }
        }
    }

    /// Whether the server is still the primary although standbys did not confirm a write. Without sentinels, only the
    /// server itself can say.
    package func isStillPrimary(
        silentSince silence: NIODeadline, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Bool> {
        guard asksAboutPrimary else { return eventLoop.makeSucceededFuture(true) }
        return with(eventLoop) { loop in loop.isStillPrimary(silentSince: silence) }
    }

    /// Whether the sentinels are asked about a write that standbys do not confirm.
    package var asksAboutPrimary: Bool { configuration.asksAboutPrimary }

    /// Runs a body on an event loop, with its connection.
    private func with<Value: Sendable>(
        _ eventLoop: any EventLoop, _ body: @escaping @Sendable (ValkeyLoop) -> EventLoopFuture<Value>
    ) -> EventLoopFuture<Value> {
        guard let loop = known(eventLoop) else { return eventLoop.makeFailedFuture(ValkeyStoreError.closed) }
        return eventLoop.inEventLoop ? body(loop) : eventLoop.flatSubmit { body(loop) }
    }

    /// The connection of an event loop; `nil` after the shutdown.
    private func known(_ eventLoop: any EventLoop) -> ValkeyLoop? {
        loops.withLock { loops in
            guard !loops.isShutDown else { return nil }
            if let known = loops.known[ObjectIdentifier(eventLoop)] { return known }
            let connector = ValkeyConnector(
                configuration: configuration,
                password: { [weak self] in self?.password.withLock { $0?.exposed } }, serverTime: serverTime)
            let loop = ValkeyLoop(eventLoop: eventLoop, connector: connector, refusals: refusals)
            loops.known[ObjectIdentifier(eventLoop)] = loop
            if loops.subscriber == nil, let access = SentinelAccess(configuration) {
                let subscriber = SentinelSubscriber(access, on: eventLoop) { [weak self] address in
                    self?.leave(unless: address)
                }
                loops.subscriber = subscriber
                subscriber.start()
            }
            return loop
        }
    }

    /// Closes the connections that do not go to the primary that was announced.
    private func leave(unless address: ValkeyAddress) {
        let known = loops.withLock { loops in Array(loops.known.values) }
        for loop in known { loop.leave(unless: address) }
    }
}
