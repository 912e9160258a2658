// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import OpenIDRelyingParty
import Synchronization

/// A resolver of host names with threads of its own, which looks up each name once at a time.
///
/// A lookup that hangs keeps its thread, and another one takes its place, so that hosts whose name servers are silent
/// delay no other host.
///
/// NIO's own resolver has one queue for each event loop, in which a provider with unresponsive name servers would delay
/// all other providers of that event loop.
package final class HostLookups: Sendable {
    /// Returns the addresses of a name in the order of RFC 6724. Blocks the thread.
    package typealias Lookup = @Sendable (String) throws(HostLookupError) -> [SocketAddress]

    private typealias Promise = EventLoopPromise<[SocketAddress]>

    private struct State {
        var lookups = StateMachine<Promise>()
        var isShutDown = false
    }

    /// The time after which a lookup leaves its place to one that waits.
    private static let stuckAfter = TimeAmount.milliseconds(50)

    private let state = Mutex(State())
    private let elapsed: any ElapsedClock
    private let lookup: Lookup

    /// - Parameter lookup: The blocking lookup, which is called on one of the resolver's threads.
    package init(elapsed: any ElapsedClock, lookup: @escaping Lookup = SystemHostLookup.addresses(of:)) {
        self.elapsed = elapsed
        self.lookup = lookup
    }

    /// Looks up the addresses of a host.
    /// - Parameter owner: The owner of the lookup. Lookups of one owner do not delay those of another.
    /// - Returns: A future of the given event loop. It fails with ``ProviderTransportError``.
    package func addresses(
        of host: String, owner: ObjectIdentifier?, on loop: any EventLoop
    ) -> EventLoopFuture<[SocketAddress]> {
        // An IP address needs no lookup.
        if let address = try? SocketAddress(ipAddress: host, port: 0) { return loop.makeSucceededFuture([address]) }
        let promise = loop.makePromise(of: [SocketAddress].self)
        let name = StateMachine<Promise>.Name(host: host, owner: owner)
        let now = elapsed.now()
        let action = state.withLock { state in
            state.isShutDown ? .fail(.unavailable) : state.lookups.want(name, promise, now: now)
        }
        switch action {
        case .use(let addresses): promise.succeed(addresses)
        case .fail(let error): promise.fail(error.transportError)
        case .wait: break
        case .queue: relieveLater(on: loop)
        case .start: start([name.host])
        }
        return promise.futureResult
    }

    /// Gives up what waits. Lookups under way end on their own.
    package func shutdown() {
        let waiters = state.withLock { state in
            state.isShutDown = true
            return state.lookups.abandon()
        }
        for waiter in waiters { waiter.fail(HostLookupError.unavailable.transportError) }
    }

    private func start(_ hosts: [[UInt8]]) {
        var hosts = hosts
        while let host = hosts.popLast() {
            let isStarted = LookupThread.run { [self] in start(end(host, result(of: host))) }
            if !isStarted { hosts += end(host, .failure(.unavailable)) }
        }
    }

    private func relieveLater(on loop: any EventLoop) {
        loop.scheduleTask(in: Self.stuckAfter) { [self] in relieve(on: loop) }.futureResult
            // The event loop ends, so that this check does not come.
            .whenFailure { [self] _ in relieve(on: nil) }
    }

    private func relieve(on loop: (any EventLoop)?) {
        let now = elapsed.now()
        let (starts, isCheckDue) = state.withLock { $0.lookups.relieve(now: now) }
        start(starts)
        if isCheckDue, let loop { relieveLater(on: loop) }
    }

    /// - Returns: The hosts whose lookup starts now.
    private func end(_ host: [UInt8], _ found: Result<[SocketAddress], HostLookupError>) -> [[UInt8]] {
        let now = elapsed.now()
        let (waiters, result, starts) = state.withLock { $0.lookups.ended(host, found, now: now) }
        for waiter in waiters { waiter.completeWith(result.mapError { $0.transportError }) }
        return starts
    }

    private func result(of host: [UInt8]) -> Result<[SocketAddress], HostLookupError> {
        do throws(HostLookupError) {
            let addresses = try lookup(String(decoding: host, as: UTF8.self))
            return addresses.isEmpty ? .failure(.notFound) : .success(addresses)
        } catch {
            return .failure(error)
        }
    }
}
