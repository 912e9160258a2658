// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import OpenIDRelyingParty

extension HostLookups {
    /// The lookups of host names and the addresses that are used in the meantime. It performs no I/O and has no clock
    /// and no threads; `now` is given in seconds of an ``ElapsedClock``.
    ///
    /// A lookup cannot be canceled and occupies a thread for as long as the name servers take. One lookup of a host
    /// serves all owners. What has no thread waits in order. A lookup that is stuck keeps its thread and leaves its
    /// place to the next one, and hosts that were slow the last time have few places, so that slow name servers of some
    /// providers do not delay the others.
    package struct StateMachine<Waiter: Sendable>: Sendable {
        /// The maximum number of concurrent lookups that are not stuck.
        package static var maximumLookups: Int { 16 }
        /// The maximum number of lookups that are stuck, each of which has a thread of its own.
        package static var maximumStuckLookups: Int { 112 }
        /// The maximum number of concurrent lookups of hosts that were slow the last time.
        package static var maximumLookupsOfSlowHosts: Int { 8 }
        /// The maximum number of concurrent lookups of one owner.
        package static var maximumLookupsOfOwner: Int { 3 }
        /// The maximum number of cached names of one owner.
        package static var maximumNamesOfOwner: Int { 16 }
        /// The maximum number of callers that wait for one host.
        package static var maximumWaiters: Int { 4096 }
        /// The time for which addresses are used without another lookup, in seconds.
        package static var freshLifetime: Int64 { 10 }
        /// The time for which addresses are used while lookups fail, in seconds.
        package static var staleLifetime: Int64 { 3600 }
        /// The time for which a name that could not be resolved is not looked up again, in seconds.
        package static var failureLifetime: Int64 { 1 }
        /// The time after which a lookup is slow, in seconds. No further caller waits for it then.
        package static var slowAfter: Int64 { 2 }

        /// A name that an owner wants.
        package struct Name: Sendable {
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
            /// Wait for the lookup, which is under way or has its place in the queue.
            case wait
            /// Wait for the lookup, and call ``StateMachine/relieve(now:)`` when the others had their time.
            case queue
            /// Start a lookup and wait for it.
            case start
        }

        private struct Known: Sendable {
            var addresses: [SocketAddress] = []
            var foundAt: Int64?
            var failure: (at: Int64, error: HostLookupError)?
            /// Whether the last lookup was slow.
            var wasSlow = false
            /// The owners, each with the time when it last wanted the name.
            var wantedAt: [ObjectIdentifier?: Int64] = [:]
            var waiting: [Waiter] = []

            func stale(_ now: Int64) -> [SocketAddress]? {
                foundAt.flatMap { (0..<StateMachine.staleLifetime).contains(now - $0) ? addresses : nil }
            }
        }

        private struct Lookup: Sendable {
            let owner: ObjectIdentifier?
            let startedAt: Int64
            let number: UInt64
            let isOfSlowHost: Bool
            var isStuck = false
        }

        private var names: [[UInt8]: Known] = [:]
        private var underWay: [[UInt8]: Lookup] = [:]
        /// The hosts without a thread in the order in which they were wanted, and for each who wants it.
        private var queue: [(host: [UInt8], owners: [ObjectIdentifier?])] = []
        private var startedCount: UInt64 = 0
        /// The number of lookups that had been started when the check that is due was asked for.
        private var checked: UInt64?

        package init() {}

        /// The number of lookups under way.
        package var lookupCount: Int { underWay.count }

        /// Requests the addresses of a name.
        package mutating func want(_ name: Name, _ waiter: Waiter, now: Int64) -> Action {
            guard remembers(name) else { return .fail(.slow) }
            var known = names[name.host] ?? Known()
            known.wantedAt[name.owner] = now
            defer { names[name.host] = known }
            if let foundAt = known.foundAt, (0..<Self.freshLifetime).contains(now - foundAt) {
                return .use(known.addresses)
            }
            if let lookup = underWay[name.host] {
                let isSlow = !(0..<Self.slowAfter).contains(now - lookup.startedAt)
                guard !isSlow, known.waiting.count < Self.maximumWaiters else {
                    return known.stale(now).map { .use($0) } ?? .fail(.slow)
                }
                known.waiting.append(waiter)
                return .wait
            }
            if let failure = known.failure, (0..<Self.failureLifetime).contains(now - failure.at) {
                return known.stale(now).flatMap { failure.error.isTemporary ? .use($0) : nil } ?? .fail(failure.error)
            }
            let place = queue.firstIndex { $0.host == name.host }
            if hasRoom(for: name.owner, isSlowHost: known.wasSlow) {
                if let place { queue.remove(at: place) }
                start(name.host, of: name.owner, isSlowHost: known.wasSlow, now: now)
                known.waiting.append(waiter)
                return .start
            }
            if let stale = known.stale(now) { return .use(stale) }
            guard known.waiting.count < Self.maximumWaiters else { return .fail(.slow) }
            known.waiting.append(waiter)
            if let place {
                if !queue[place].owners.contains(name.owner) { queue[place].owners.append(name.owner) }
            } else {
                queue.append((name.host, [name.owner]))
            }
            guard checked == nil else { return .wait }
            checked = startedCount
            return .queue
        }

        /// Records the end of a lookup.
        /// - Returns: The callers that waited for it, their result, and the hosts whose lookup starts now.
        package mutating func ended(
            _ host: [UInt8], _ result: Result<[SocketAddress], HostLookupError>, now: Int64
        ) -> (waiters: [Waiter], result: Result<[SocketAddress], HostLookupError>, starts: [[UInt8]]) {
            let lookup = underWay.removeValue(forKey: host)
            var waiters: [Waiter] = []
            var used = result
            if var known = names[host] {
                waiters = known.waiting
                known.waiting = []
                known.wasSlow = lookup.map { !(0..<Self.slowAfter).contains(now - $0.startedAt) } ?? false
                switch result {
                case .success(let addresses):
                    known.addresses = addresses
                    known.foundAt = now
                    known.failure = nil
                case .failure(let error):
                    known.failure = (now, error)
                    if error.isTemporary, let stale = known.stale(now) { used = .success(stale) }
                }
                names[host] = known
            }
            return (waiters, used, startWaiting(now: now))
        }

        /// Takes the places of the lookups that have been under way since the check was asked for.
        /// - Returns: The hosts whose lookup starts now, and whether others still wait and need another check.
        package mutating func relieve(now: Int64) -> (starts: [[UInt8]], isCheckDue: Bool) {
            guard let before = checked else { return ([], false) }
            var stuck = underWay.values.count { $0.isStuck }
            for (host, lookup) in underWay where !lookup.isStuck && lookup.number <= before {
                guard stuck < Self.maximumStuckLookups else { break }
                underWay[host]?.isStuck = true
                stuck += 1
            }
            let starts = startWaiting(now: now)
            checked = queue.isEmpty ? nil : startedCount
            return (starts, checked != nil)
        }

        /// Gives up all lookups that have no thread.
        /// - Returns: The callers that waited for them.
        package mutating func abandon() -> [Waiter] {
            defer {
                queue = []
                checked = nil
            }
            return queue.flatMap { place in
                defer { names[place.host]?.waiting = [] }
                return names[place.host]?.waiting ?? []
            }
        }

        private mutating func startWaiting(now: Int64) -> [[UInt8]] {
            var starts: [[UInt8]] = []
            var waiting: [(host: [UInt8], owners: [ObjectIdentifier?])] = []
            for place in queue {
                let isSlowHost = names[place.host]?.wasSlow ?? false
                let owner = place.owners.first { hasRoom(for: $0, isSlowHost: isSlowHost) }
                if let owner {
                    start(place.host, of: owner, isSlowHost: isSlowHost, now: now)
                    starts.append(place.host)
                } else {
                    waiting.append(place)
                }
            }
            queue = waiting
            return starts
        }

        private mutating func start(_ host: [UInt8], of owner: ObjectIdentifier?, isSlowHost: Bool, now: Int64) {
            startedCount += 1
            underWay[host] = Lookup(owner: owner, startedAt: now, number: startedCount, isOfSlowHost: isSlowHost)
        }

        private func hasRoom(for owner: ObjectIdentifier?, isSlowHost: Bool) -> Bool {
            var all = 0
            var own = 0
            var slow = 0
            for lookup in underWay.values {
                if !lookup.isStuck { all += 1 }
                if lookup.owner == owner { own += 1 }
                if lookup.isOfSlowHost { slow += 1 }
            }
            return all < Self.maximumLookups && own < Self.maximumLookupsOfOwner
                && (!isSlowHost || slow < Self.maximumLookupsOfSlowHosts)
        }

        /// Makes room for a name among those of its owner.
        /// - Returns: `false` if the owner has too many names that are looked up or wait for it.
        private mutating func remembers(_ name: Name) -> Bool {
            guard names[name.host]?.wantedAt[name.owner] == nil else { return true }
            let own = names.filter { $0.value.wantedAt[name.owner] != nil }
            guard own.count >= Self.maximumNamesOfOwner else { return true }
            let idle = own.filter { $0.value.waiting.isEmpty && underWay[$0.key] == nil }
            let oldest = idle.min { $0.value.wantedAt[name.owner] ?? 0 < $1.value.wantedAt[name.owner] ?? 0 }
            guard let oldest else { return false }
            names[oldest.key]?.wantedAt[name.owner] = nil
            if names[oldest.key]?.wantedAt.isEmpty == true { names[oldest.key] = nil }
            return true
        }
    }
}
