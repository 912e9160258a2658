// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import NIOPosix
package import OpenIDRelyingParty
import Synchronization

/// A resolver of host names with threads of its own, which looks up each name once at a time.
///
/// NIO's own resolver has one queue for each event loop, in which a provider with unresponsive name servers would delay
/// all other providers of that event loop.
package final class HostLookups: Sendable {
    /// Returns the addresses of a name in the order of RFC 6724. Blocks the thread.
    package typealias Lookup = @Sendable (String) throws(HostLookupError) -> [SocketAddress]

    private typealias Promise = EventLoopPromise<[SocketAddress]>

    private struct State {
        var lookups = StateMachine<Promise>()
        /// The threads, which are created for the first lookup.
        var threads: NIOThreadPool?
        var isShutDown = false
    }

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
        let (action, threads) = state.withLock { state in
            guard !state.isShutDown else {
                return (StateMachine<Promise>.Action.fail(.unavailable), nil as NIOThreadPool?)
            }
            let action = state.lookups.want(name, promise, now: now)
            guard case .start = action else { return (action, nil) }
            let threads = state.threads ?? NIOThreadPool(numberOfThreads: StateMachine<Promise>.maximumLookups)
            if state.threads == nil { threads.start() }
            state.threads = threads
            return (action, threads)
        }
        switch action {
        case .use(let addresses): promise.succeed(addresses)
        case .fail(let error): promise.fail(error.transportError)
        case .wait: break
        case .start: threads?.submit { [self] item in end(name, of: host, isActive: item == .active) }
        }
        return promise.futureResult
    }

    /// Releases the threads. Lookups under way end on their own.
    package func shutdown() {
        let threads = state.withLock { state in
            state.isShutDown = true
            defer { state.threads = nil }
            return state.threads
        }
        // This does not wait, because a lookup cannot be canceled.
        threads?.shutdownGracefully { _ in }
    }

    private func end(_ name: StateMachine<Promise>.Name, of host: String, isActive: Bool) {
        let found = isActive ? result(of: host) : .failure(.unavailable)
        let now = elapsed.now()
        let (waiters, result) = state.withLock { $0.lookups.ended(name, found, now: now) }
        for waiter in waiters { waiter.completeWith(result.mapError { $0.transportError }) }
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
