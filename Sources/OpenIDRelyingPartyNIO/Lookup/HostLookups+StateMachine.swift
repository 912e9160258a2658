// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import OpenIDRelyingParty

extension HostLookups {
    /// Which host names are looked up, and what is used meanwhile. No I/O, no clock and no threads: `now` is handed in,
    /// seconds of an ``ElapsedClock``.
    ///
    /// A lookup cannot be canceled and occupies a thread for as long as the name servers take. Names are kept apart by
    /// their owner, so that the name servers of one provider delay nobody but that provider.
    package struct StateMachine<Waiter: Sendable>: Sendable {
        /// The most lookups at once.
        package static var maximumLookups: Int { 8 }
        /// The most lookups of one owner at once.
        package static var maximumLookupsOfOwner: Int { 3 }
        /// The most names of one owner that are remembered.
        package static var maximumNamesOfOwner: Int { 16 }
        /// For how long addresses are used without another lookup, seconds.
        package static var freshLifetime: Int64 { 10 }
        /// For how long addresses are used while no lookup succeeds, seconds.
        package static var staleLifetime: Int64 { 3600 }
        /// For how long a name that could not be looked up is not looked up again, seconds.
        package static var failureLifetime: Int64 { 1 }
        /// From then on a lookup under way is slow, seconds: nobody else waits for it.
        package static var slowAfter: Int64 { 2 }

        /// A name, for its owner.
        package struct Name: Hashable, Sendable {
            let owner: ObjectIdentifier?
            let host: [UInt8]

            package init(host: String, owner: ObjectIdentifier?) {
                self.host = Array(host.utf8)
                self.owner = owner
            }
        }

        /// What becomes of somebody who needs addresses.
        package enum Action: Sendable {
            /// These are good.
            case use([SocketAddress])
            /// There will be none.
            case fail(HostLookupError)
            /// The lookup under way tells.
            case wait
            /// A lookup must be started, and tells.
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

        /// How many lookups are under way.
        package var lookupCount: Int { names.values.count { $0.startedAt != nil } }

        /// The addresses of a name are needed.
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

        /// A lookup ended.
        /// - Returns: who waited for it, and what they get.
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
