// SPDX-License-Identifier: Apache-2.0

import NIOCore

extension WaitingNames {
    /// The names that wait, oldest first, and when they are written. It has no lock, no clock and no store.
    struct StateMachine: Sendable {
        /// The maximum number of names.
        static let mostNames = 10_000
        /// The maximum size of the sealed names together, in bytes. What is known beside them is some 300 bytes a name.
        static let mostBytes = 4 << 20
        /// The maximum number of names of one person, which come with different credentials.
        static let mostOfPerson = 8
        /// The maximum number of names that are written at once.
        static let mostAtOnce = 32
        /// The time for which a name waits at most: as long as it would be in the store.
        static let lifetime = TimeAmount.seconds(UnverifiedNames.lifetime)
        /// The time between two looks at a store that is away, and after a try that failed.
        static let pause = TimeAmount.milliseconds(250)
        /// The maximum time of a round of writes. After that, the event loop that wrote has stopped.
        static let longestRound = TimeAmount.seconds(20)
        /// How late a look may be before another event loop takes over.
        static let grace = TimeAmount.seconds(1)

        private var entries: [UInt64: Entry] = [:]
        /// The numbers of the entries at each place, oldest first.
        private var places: [SingleUseKey: [UInt64]] = [:]
        /// No entry has a smaller number.
        private var oldest: UInt64 = 0
        /// The number of the next entry.
        private(set) var next: UInt64 = 0
        /// The size of the sealed names together.
        private(set) var bytes = 0
        /// When the next look is due; `nil` if none is.
        private var due: NIODeadline?
        /// The round of names that are written, and the places that they go to.
        private var round: (number: UInt64, places: Set<SingleUseKey>) = (0, [])
        private var roundHasFailed = false
        /// Until then nothing is tried, and then one name alone; `nil` if the last try succeeded.
        private var silentUntil: NIODeadline?
        /// The last one of the names that failed last.
        private var failedLast: UInt64?

        /// The number of names that wait.
        var count: Int { entries.count }

        /// The number of names that wait and are in no store.
        var unwrittenCount: Int { entries.values.count { !$0.isWritten } }

        /// Adds a name.
        ///
        /// One that is this person's takes the place of all earlier ones. Of those that came with one credential whose
        /// claim is in doubt the first one stays, and whichever attempt claimed it counts. One that is known to be this
        /// person's is the last of a person to be given up.
        /// - Parameters:
        ///   - later: The number from which on names came later than this one.
        ///   - isWritten: Whether the store has it, and too few standbys.
        /// - Returns: The number of names, the oldest, for which there was no more room, and which are in no store.
        mutating func add(
            _ name: WaitingName, before later: UInt64 = .max, isWritten: Bool = false, now: NIODeadline
        ) -> Int {
            guard !isReplaced(at: name.key, from: later) else { return 0 }
            if let claim = name.claim, !isWritten {
                for number in places[name.key] ?? [] where entries[number]?.name.claim?.key == claim.key {
                    entries[number]?.name.claim?.merge(claim)
                    return 0
                }
            } else {
                removeAll(at: name.key, before: later)
            }
            insert(name, isWritten: isWritten, now: now)
            var dropped = 0
            while let numbers = places[name.key], numbers.count > Self.mostOfPerson,
                let first = numbers.first(where: { entries[$0]?.name.claim != nil }) ?? numbers.first
            {
                dropped += drop(first)
            }
            while entries.count > Self.mostNames || bytes > Self.mostBytes, let first = first() {
                dropped += drop(first)
            }
            return dropped
        }

        /// Notes that a name is in the store, in place of all earlier ones. If one of those is being written, this one is
        /// written once more after it.
        /// - Parameter later: The number from which on names came later than this one. They stay.
        mutating func stored(_ name: WaitingName, before later: UInt64 = .max, now: NIODeadline) {
            guard !entries.isEmpty || !round.places.isEmpty else { return }
            removeAll(at: name.key, before: later)
            if round.places.contains(name.key), !isReplaced(at: name.key, from: later) { insert(name, now: now) }
        }

        /// Returns the sealed name of a person that waits; `nil` if there is none that is known to be this person's.
        func value(at key: SingleUseKey) -> [UInt8]? {
            places[key]?.last { entries[$0]?.name.claim == nil }.flatMap { entries[$0]?.name.sealed }
        }

        /// Removes a sealed name, which an app received.
        mutating func discard(_ sealed: [UInt8], at key: SingleUseKey) {
            for number in places[key] ?? [] where entries[number]?.name.sealed == sealed { remove(number) }
        }

        // MARK: Writing

        /// Returns whether to begin looking: no event loop does it, or the one that did has stopped.
        mutating func begins(_ now: NIODeadline) -> Bool {
            if let due, now - due <= Self.grace { return false }
            due = now
            round = (round.number + 1, [])
            return true
        }

        /// A name with its number.
        struct Numbered: Sendable {
            let number: UInt64
            let name: WaitingName
            /// The seconds for which it is still kept.
            let seconds: Int64
            /// Whether the store has it, and too few standbys.
            let isWritten: Bool
        }

        /// What to do next.
        enum Action: Sendable {
            /// Nothing: no name waits. Adding one begins again.
            case rest
            /// Look again at this time.
            case wait(until: NIODeadline)
            /// Write these, each at another place, and report each of them.
            case write([Numbered], round: UInt64)
        }

        /// Returns what to do next, and the number of names whose time was over, and which are in no store.
        /// - Parameter isAway: Whether the store is known to be away.
        mutating func look(_ now: NIODeadline, isAway: Bool) -> (action: Action, expired: Int) {
            var expired = 0
            // So that later calls do not walk over numbers that are gone.
            _ = first()
            for number in entries.filter({ $0.value.end <= now }).keys { expired += drop(number) }
            guard !entries.isEmpty else {
                due = nil
                silentUntil = nil
                failedLast = nil
                return (.rest, expired)
            }
            if isAway || silentUntil.map({ $0 > now }) ?? false {
                let next = now + Self.pause
                due = next
                return (.wait(until: next), expired)
            }
            let names = silentUntil == nil ? oldestNames(now) : nameAfterFailure(now)
            guard !names.isEmpty else {
                // The store has all of them.
                let next = now + Self.pause
                due = next
                return (.wait(until: next), expired)
            }
            round = (round.number + 1, Set(names.map(\.name.key)))
            roundHasFailed = false
            due = now + Self.longestRound
            return (.write(names, round: round.number), expired)
        }

        /// The oldest names, up to the second one of a place: their order counts.
        private func oldestNames(_ now: NIODeadline) -> [Numbered] {
            var names: [Numbered] = []
            var places: Set<SingleUseKey> = []
            for number in oldest..<next {
                guard let entry = entries[number], entry.isDue(now) else { continue }
                guard names.count < Self.mostAtOnce, places.insert(entry.name.key).inserted else { break }
                names.append(numbered(number, entry, now))
            }
            return names
        }

        /// The name behind those that failed last, in turn, so that one that always fails does not hold up all others. It
        /// is the oldest one of its place.
        private func nameAfterFailure(_ now: NIODeadline) -> [Numbered] {
            let firsts = places.values.compactMap { $0.first { entries[$0]?.isDue(now) ?? false } }
            let behind = failedLast.flatMap { failed in firsts.filter { $0 > failed }.min() }
            guard let number = behind ?? firsts.min(), let entry = entries[number] else { return [] }
            return [numbered(number, entry, now)]
        }

        private func numbered(_ number: UInt64, _ entry: Entry, _ now: NIODeadline) -> Numbered {
            let seconds = (entry.end - now).nanoseconds / 1_000_000_000
            return Numbered(
                number: number, name: entry.name, seconds: max(1, entry.isWritten ? UnverifiedNames.lifetime : seconds),
                isWritten: entry.isWritten)
        }

        /// What became of a name that was to be written.
        enum End: Sendable {
            /// It is in the store, in place of all earlier ones.
            case written
            /// It is in the store, in place of all earlier ones, but too few standbys have it.
            case unconfirmed
            /// It is not known whether it was written.
            case failed
            /// It is not written.
            case givenUp(Reason)
        }

        /// Notes what became of a name.
        /// - Returns: Whether it was the last one of its round, after which to look again.
        mutating func end(_ name: Numbered, round number: UInt64, _ end: End, now: NIODeadline) -> Bool {
            switch end {
            case .written:
                removeAll(at: name.name.key, before: name.number)
                remove(name.number)
            case .unconfirmed:
                removeAll(at: name.name.key, before: name.number)
                entries[name.number]?.write(now)
            case .failed: break
            case .givenUp: remove(name.number)
            }
            guard number == round.number, round.places.remove(name.name.key) != nil else { return false }
            if case .failed = end {
                failedLast = roundHasFailed ? max(failedLast ?? 0, name.number) : name.number
                roundHasFailed = true
            }
            guard round.places.isEmpty else { return false }
            silentUntil = roundHasFailed ? now + Self.pause : nil
            return true
        }

        // MARK: Entries

        private mutating func first() -> UInt64? {
            while oldest < next {
                if entries[oldest] != nil { return oldest }
                oldest += 1
            }
            return nil
        }

        private mutating func insert(_ name: WaitingName, isWritten: Bool = false, now: NIODeadline) {
            var entry = Entry(name, end: now + Self.lifetime)
            if isWritten { entry.write(now) }
            entries[next] = entry
            places[name.key, default: []].append(next)
            bytes += name.sealed.count
            next += 1
        }

        /// Removes a name whose time is over, or for which there is no more room.
        /// - Returns: 1 if it is lost, 0 if the store has it.
        private mutating func drop(_ number: UInt64) -> Int {
            let isLost = !(entries[number]?.isWritten ?? true)
            remove(number)
            return isLost ? 1 : 0
        }

        private mutating func remove(_ number: UInt64) {
            guard let entry = entries.removeValue(forKey: number) else { return }
            bytes -= entry.name.sealed.count
            let numbers = (places[entry.name.key] ?? []).filter { $0 != number }
            places[entry.name.key] = numbers.isEmpty ? nil : numbers
        }

        private mutating func removeAll(at key: SingleUseKey, before later: UInt64) {
            for number in places[key] ?? [] where number < later { remove(number) }
        }

        /// Whether a later name that is known to be this person's waits.
        private func isReplaced(at key: SingleUseKey, from later: UInt64) -> Bool {
            places[key]?.contains { $0 >= later && entries[$0]?.name.claim == nil } ?? false
        }
    }
}
