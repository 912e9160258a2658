// SPDX-License-Identifier: Apache-2.0

import Accounts

/// The outbox of a ``ModelAccountStore``.
struct ModelOutbox: Sendable {
    private(set) var events: [QueuedEvent] = []
    private var lastPosition: Int64 = 0

    mutating func append(_ event: AccountEvent, for destination: String) {
        lastPosition += 1
        events.append(
            QueuedEvent(
                event, for: destination, position: lastPosition, attempts: 0, dueAt: event.time, claimedUntil: 0,
                givenUpAt: nil, detail: nil))
    }

    mutating func claim(for destination: String, limit: Int, until time: Int64, at now: Int64) -> [QueuedEvent] {
        let waiting = events.filter { $0.destination == destination && $0.givenUpAt == nil }
        var accounts: Set<AccountID> = []
        let heads = waiting.filter { accounts.insert($0.event.account).inserted }
        let due = heads.filter { $0.dueAt <= now && $0.claimedUntil <= now }.sorted {
            ($0.dueAt, $0.position) < ($1.dueAt, $1.position)
        }
        let positions = Set(due.prefix(max(0, limit)).map(\.position))
        change(where: { positions.contains($0.position) }, { $0.with(claimedUntil: time) })
        return events.filter { positions.contains($0.position) }
    }

    mutating func remove(_ event: QueuedEvent, at now: Int64) {
        guard isClaimed(event) else { return }
        events.removeAll { $0.position == event.position }
        hasten(event, at: now)
    }

    mutating func postpone(_ event: QueuedEvent, until time: Int64, because detail: String) {
        guard isClaimed(event) else { return }
        change(where: { $0.isBeside(event) }) { other in
            guard other.position == event.position else { return other.with(dueAt: time, claimedUntil: 0) }
            return other.with(attempts: other.attempts + 1, dueAt: time, claimedUntil: 0, detail: detail)
        }
    }

    mutating func giveUp(_ event: QueuedEvent, at now: Int64, because detail: String) {
        guard isClaimed(event) else { return }
        change(where: { $0.position == event.position }) {
            $0.with(attempts: $0.attempts + 1, claimedUntil: 0, givenUpAt: now, detail: detail)
        }
        hasten(event, at: now)
    }

    func usage(of destination: String, upTo limit: Int) -> OutboxUsage {
        let own = events.filter { $0.destination == destination }
        let waiting = own.filter { $0.givenUpAt == nil }
        return OutboxUsage(
            waiting: min(limit, waiting.count), oldest: waiting.first?.event.time,
            givenUp: min(limit, own.count - waiting.count))
    }

    mutating func sweep(before now: Int64, limit: Int) -> Int {
        let old = events.filter { $0.event.time <= now - AccountLimits.eventDays * 86_400 }.prefix(limit)
        let positions = Set(old.map(\.position))
        events.removeAll { positions.contains($0.position) }
        return positions.count
    }

    private func isClaimed(_ event: QueuedEvent) -> Bool {
        events.contains { $0.position == event.position && $0.claimedUntil == event.claimedUntil }
    }

    private mutating func hasten(_ event: QueuedEvent, at now: Int64) {
        guard event.attempts > 0 else { return }
        change(where: { $0.isBeside(event) && $0.dueAt > now }, { $0.with(dueAt: now) })
    }

    private mutating func change(where isChosen: (QueuedEvent) -> Bool, _ change: (QueuedEvent) -> QueuedEvent) {
        events = events.map { isChosen($0) ? change($0) : $0 }
    }
}

extension QueuedEvent {
    /// Whether it waits in the same queue for the same account.
    fileprivate func isBeside(_ other: QueuedEvent) -> Bool {
        destination == other.destination && event.account == other.event.account && givenUpAt == nil
    }

    fileprivate func with(
        attempts: Int64? = nil, dueAt: Int64? = nil, claimedUntil: Int64? = nil, givenUpAt: Int64? = nil,
        detail: String? = nil
    ) -> QueuedEvent {
        QueuedEvent(
            event, for: destination, position: position, attempts: attempts ?? self.attempts,
            dueAt: dueAt ?? self.dueAt, claimedUntil: claimedUntil ?? self.claimedUntil,
            givenUpAt: givenUpAt ?? self.givenUpAt, detail: detail ?? self.detail)
    }
}

extension ModelAccountTransaction: AccountOutbox {
    func append(_ event: AccountEvent, for destination: String) throws {
        try write { $0.outbox.append(event, for: destination) }
    }

    func claim(for destination: String, limit: Int, until time: Int64, at now: Int64) throws -> [QueuedEvent] {
        try write { $0.outbox.claim(for: destination, limit: limit, until: time, at: now) }
    }

    func remove(_ event: QueuedEvent, at now: Int64) throws { try write { $0.outbox.remove(event, at: now) } }

    func postpone(_ event: QueuedEvent, until time: Int64, because detail: String) throws {
        try write { $0.outbox.postpone(event, until: time, because: detail) }
    }

    func giveUp(_ event: QueuedEvent, at now: Int64, because detail: String) throws {
        try write { $0.outbox.giveUp(event, at: now, because: detail) }
    }

    func events(after position: Int64, limit: Int) -> [QueuedEvent] {
        Array(records.outbox.events.filter { $0.position > position }.prefix(max(0, limit)))
    }

    func usage(of destination: String, upTo limit: Int) -> OutboxUsage {
        records.outbox.usage(of: destination, upTo: limit)
    }
}
