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
        /// The maximum number of stuck lookups. Each has its own thread.
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

        /// The number of lookups under way of each kind.
        private struct Places: Sendable {
            /// Those that are not stuck.
            private(set) var active = 0
            private(set) var stuck = 0
            /// Those of hosts that were slow the last time.
            private(set) var slow = 0
            private var ofOwner: [ObjectIdentifier?: Int] = [:]

            func count(of owner: ObjectIdentifier?) -> Int { ofOwner[owner] ?? 0 }

            mutating func begin(_ lookup: Lookup) {
                active += 1
                if lookup.isOfSlowHost { slow += 1 }
                ofOwner[lookup.owner, default: 0] += 1
            }

            mutating func becomeStuck() {
                active -= 1
                stuck += 1
            }

            mutating func end(_ lookup: Lookup) {
                if lookup.isStuck { stuck -= 1 } else { active -= 1 }
                if lookup.isOfSlowHost { slow -= 1 }
                let count = count(of: lookup.owner) - 1
                ofOwner[lookup.owner] = count > 0 ? count : nil
            }
        }

        private var names: [[UInt8]: Known] = [:]
        /// The names that each owner wants, as ``Known/wantedAt`` has it.
        private var namesOfOwner: [ObjectIdentifier?: Set<[UInt8]>] = [:]
        private var underWay: [[UInt8]: Lookup] = [:]
        /// The lookups under way by what bounds them, so that a lookup costs the same however many wait.
        private var places = Places()
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
            namesOfOwner[name.owner, default: []].insert(name.host)
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
            if let lookup { places.end(lookup) }
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
            for (host, lookup) in underWay where !lookup.isStuck && lookup.number <= before {
                guard places.stuck < Self.maximumStuckLookups else { break }
                underWay[host]?.isStuck = true
                places.becomeStuck()
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
            var index = 0
            while index < queue.count, places.active < Self.maximumLookups {
                let place = queue[index]
                let isSlowHost = names[place.host]?.wasSlow ?? false
                guard let owner = place.owners.first(where: { hasRoom(for: $0, isSlowHost: isSlowHost) }) else {
                    index += 1
                    continue
                }
                queue.remove(at: index)
                start(place.host, of: owner, isSlowHost: isSlowHost, now: now)
                starts.append(place.host)
            }
            return starts
        }

        private mutating func start(_ host: [UInt8], of owner: ObjectIdentifier?, isSlowHost: Bool, now: Int64) {
            startedCount += 1
            let lookup = Lookup(owner: owner, startedAt: now, number: startedCount, isOfSlowHost: isSlowHost)
            underWay[host] = lookup
            places.begin(lookup)
        }

        private func hasRoom(for owner: ObjectIdentifier?, isSlowHost: Bool) -> Bool {
            places.active < Self.maximumLookups && places.count(of: owner) < Self.maximumLookupsOfOwner
                && (!isSlowHost || places.slow < Self.maximumLookupsOfSlowHosts)
        }

        /// Makes room for a name among those of its owner.
        /// - Returns: `false` if the owner has too many names that are looked up or wait for it.
        private mutating func remembers(_ name: Name) -> Bool {
            guard names[name.host]?.wantedAt[name.owner] == nil else { return true }
            guard let own = namesOfOwner[name.owner], own.count >= Self.maximumNamesOfOwner else { return true }
            let idle = own.filter { names[$0]?.waiting.isEmpty != false && underWay[$0] == nil }
            func wantedAt(_ host: [UInt8]) -> Int64 { names[host]?.wantedAt[name.owner] ?? 0 }
            guard let oldest = idle.min(by: { wantedAt($0) < wantedAt($1) }) else { return false }
            namesOfOwner[name.owner]?.remove(oldest)
            names[oldest]?.wantedAt[name.owner] = nil
            if names[oldest]?.wantedAt.isEmpty == true { names[oldest] = nil }
            return true
        }
    }
}
