// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import OpenIDRelyingParty

extension HostLookups {
    /// The lookups of host names and the addresses that are used in the meantime. It performs no I/O and has no clock
    /// and no threads; `now` is given in seconds of an ``ElapsedClock``.
    ///
    /// A lookup cannot be canceled and occupies a thread for as long as the name servers take. Names are kept
    /// separately for each owner, so that slow name servers of one provider delay only that provider.
    package struct StateMachine<Waiter: Sendable>: Sendable {
        /// The maximum number of concurrent lookups.
        package static var maximumLookups: Int { 8 }
        /// The maximum number of concurrent lookups of one owner.
        package static var maximumLookupsOfOwner: Int { 3 }
        /// The maximum number of cached names of one owner.
        package static var maximumNamesOfOwner: Int { 16 }
        /// The time for which addresses are used without another lookup, in seconds.
        package static var freshLifetime: Int64 { 10 }
        /// The time for which addresses are used while lookups fail, in seconds.
        package static var staleLifetime: Int64 { 3600 }
        /// The time for which a name that could not be resolved is not looked up again, in seconds.
        package static var failureLifetime: Int64 { 1 }
        /// The time after which a lookup is slow, in seconds. No further caller waits for it then.
        package static var slowAfter: Int64 { 2 }

        /// A name of one owner.
        package struct Name: Hashable, Sendable {
            let owner: ObjectIdentifier?
            let host: [UInt8]

            package init(host: String, owner: ObjectIdentifier?) {
                self.host = Array(host.utf8)
                self.owner = owner
            }
        }

        /// The action for a caller that needs addresses.
        package enum Action: Sendable {
            /// Use these addresses.
            case use([SocketAddress])
            /// Fail with this error.
            case fail(HostLookupError)
            /// Wait for the lookup under way.
            case wait
            /// Start a lookup and wait for it.
            case start
        }

        private struct Known: Sendable {
            var addresses: [SocketAddress] = []
            var foundAt: Int64?
            var failure: (at: Int64, error: HostLookupError)?
            var startedAt: Int64?
            var wantedAt: Int64
            var waiting: [Waiter] = []

            func stale(_ now: Int64) -> [SocketAddress]? {
                foundAt.flatMap { (0..<StateMachine.staleLifetime).contains(now - $0) ? addresses : nil }
            }
        }

        private var names: [Name: Known] = [:]

        package init() {}

        /// The number of lookups under way.
        package var lookupCount: Int { names.values.count { $0.startedAt != nil } }

        /// Requests the addresses of a name.
        package mutating func want(_ name: Name, _ waiter: Waiter, now: Int64) -> Action {
            var known = names[name] ?? Known(wantedAt: now)
            known.wantedAt = now
            defer { names[name] = known }
            if let foundAt = known.foundAt, (0..<Self.freshLifetime).contains(now - foundAt) {
                return .use(known.addresses)
            }
            if let startedAt = known.startedAt {
                guard !(0..<Self.slowAfter).contains(now - startedAt) else {
                    known.waiting.append(waiter)
                    return .wait
                }
                return known.stale(now).map { .use($0) } ?? .fail(.slow)
            }
            if let failure = known.failure, (0..<Self.failureLifetime).contains(now - failure.at) {
                return known.stale(now).flatMap { failure.error.isTemporary ? .use($0) : nil } ?? .fail(failure.error)
            }
            guard hasRoom(for: name.owner) else { return known.stale(now).map { .use($0) } ?? .fail(.slow) }
            forgetOldest(of: name.owner, but: name)
            known.startedAt = now
            known.waiting.append(waiter)
            return .start
        }

        /// Records the end of a lookup.
        /// - Returns: The callers that waited for it, and their result.
        package mutating func ended(
            _ name: Name, _ result: Result<[SocketAddress], HostLookupError>, now: Int64
        ) -> (waiters: [Waiter], result: Result<[SocketAddress], HostLookupError>) {
            guard var known = names[name] else { return ([], result) }
            let waiters = known.waiting
            known.waiting = []
            known.startedAt = nil
            var used = result
            switch result {
            case .success(let addresses):
                known.addresses = addresses
                known.foundAt = now
                known.failure = nil
            case .failure(let error):
                known.failure = (now, error)
                if error.isTemporary, let stale = known.stale(now) { used = .success(stale) }
            }
            names[name] = known
            return (waiters, used)
        }

        private func hasRoom(for owner: ObjectIdentifier?) -> Bool {
            var all = 0
            var own = 0
            for (name, known) in names where known.startedAt != nil {
                all += 1
                if name.owner == owner { own += 1 }
            }
            return all < Self.maximumLookups && own < Self.maximumLookupsOfOwner
        }

        private mutating func forgetOldest(of owner: ObjectIdentifier?, but kept: Name) {
            let own = names.filter { $0.key.owner == owner && $0.key != kept }
            guard own.count >= Self.maximumNamesOfOwner else { return }
            let oldest = own.filter { $0.value.startedAt == nil }.min { $0.value.wantedAt < $1.value.wantedAt }
            if let oldest { names[oldest.key] = nil }
        }
    }
}
