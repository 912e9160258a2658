// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import NIOPosix
package import OpenIDRelyingParty
import Synchronization

/// A resolver of host names with threads of its own, which looks up each name once at a time.
///
/// A lookup that hangs keeps its thread, and another thread takes its place, so that hosts whose name servers are silent
/// delay no other host. Sixteen threads are kept.
///
/// NIO's own resolver has one queue for each event loop, in which a provider with unresponsive name servers would delay
/// all other providers of that event loop.
package final class HostLookups: Sendable {
    /// Returns the addresses of a name in the order of RFC 6724. Blocks the thread.
    package typealias Lookup = @Sendable (String) throws(HostLookupError) -> [SocketAddress]

    private typealias Promise = EventLoopPromise<[SocketAddress]>

    private struct State {
        var lookups = StateMachine<Promise>()
        /// The threads without a lookup, each of which is a pool of its own.
        var idle: [NIOThreadPool] = []
        var isShutDown = false

        /// Returns a thread for each host.
        mutating func threads(for hosts: [[UInt8]]) -> [(host: [UInt8], thread: NIOThreadPool)] {
            hosts.map { host in
                if let thread = idle.popLast() { return (host, thread) }
                let thread = NIOThreadPool(numberOfThreads: 1)
                thread.start()
                return (host, thread)
            }
        }
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
        let (action, starts) = state.withLock { state in
            guard !state.isShutDown else {
                return (StateMachine<Promise>.Action.fail(.unavailable), [(host: [UInt8], thread: NIOThreadPool)]())
            }
            let action = state.lookups.want(name, promise, now: now)
            guard case .start = action else { return (action, []) }
            return (action, state.threads(for: [name.host]))
        }
        switch action {
        case .use(let addresses): promise.succeed(addresses)
        case .fail(let error): promise.fail(error.transportError)
        case .wait: break
        case .queue: relieveLater(on: loop)
        case .start: start(starts)
        }
        return promise.futureResult
    }

    /// Releases the threads. Lookups under way end on their own.
    package func shutdown() {
        let (threads, waiters) = state.withLock { state in
            state.isShutDown = true
            defer { state.idle = [] }
            return (state.idle, state.lookups.abandon())
        }
        for waiter in waiters { waiter.fail(HostLookupError.unavailable.transportError) }
        // This does not wait, because a lookup cannot be canceled.
        for thread in threads { thread.shutdownGracefully { _ in } }
    }

    private func start(_ lookups: [(host: [UInt8], thread: NIOThreadPool)]) {
        for (host, thread) in lookups {
            thread.submit { [self] item in end(host, on: thread, isActive: item == .active) }
        }
    }

    private func relieveLater(on loop: any EventLoop) {
        loop.scheduleTask(in: Self.stuckAfter) { [self] in relieve(on: loop) }.futureResult
            // The event loop ends, so that this check does not come.
            .whenFailure { [self] _ in relieve(on: nil) }
    }

    private func relieve(on loop: (any EventLoop)?) {
        let now = elapsed.now()
        let (starts, isCheckDue) = state.withLock { state in
            let (hosts, isCheckDue) = state.lookups.relieve(now: now)
            return (state.threads(for: hosts), isCheckDue)
        }
        start(starts)
        if isCheckDue, let loop { relieveLater(on: loop) }
    }

    private func end(_ host: [UInt8], on thread: NIOThreadPool, isActive: Bool) {
        let found = isActive ? result(of: String(decoding: host, as: UTF8.self)) : .failure(.unavailable)
        let now = elapsed.now()
        let (waiters, result, starts, isKept) = state.withLock { state in
            let (waiters, result, hosts) = state.lookups.ended(host, found, now: now)
            let isKept = !state.isShutDown && state.idle.count < StateMachine<Promise>.maximumLookups
            if isKept { state.idle.append(thread) }
            return (waiters, result, state.threads(for: hosts), isKept)
        }
        for waiter in waiters { waiter.completeWith(result.mapError { $0.transportError }) }
        start(starts)
        if !isKept { thread.shutdownGracefully { _ in } }
    }

    private func result(of host: String) -> Result<[SocketAddress], HostLookupError> {
        do throws(HostLookupError) {
            let addresses = try lookup(host)
            return addresses.isEmpty ? .failure(.notFound) : .success(addresses)
        } catch {
            return .failure(error)
        }
    }
}
