// SPDX-License-Identifier: Apache-2.0

extension AccountDialect {
    /// Returns the text of a statement of the outbox; an empty one for any other.
    ///
    /// An event is claimed where no other one of its account waits before it. What another process claims at this moment is
    /// left to it.
    func outboxText(of statement: AccountStatement) -> String {
        let (event, columns) = (prefix + "event", QueuedEvent.table.columns.map(\.key).joined(separator: ", "))
        let isClaimed = "position = ?1 AND claimed_until = ?2"
        return switch statement {
        case .appendEvent:
            """
            INSERT INTO \(event) (id, type, uid, created_at, body, destination, attempts, due_at, claimed_until) \
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?4, 0)
            """
        case .claimEvents:
            """
            UPDATE \(event) SET claimed_until = ?3 WHERE position \(isAmong.0)SELECT position FROM \(event) AS head \
            WHERE destination = ?1 AND given_up_at IS NULL AND due_at <= ?2 AND claimed_until <= ?2 AND NOT EXISTS (\
            SELECT 1 FROM \(event) AS earlier WHERE earlier.destination = head.destination AND earlier.uid = head.uid \
            AND earlier.given_up_at IS NULL AND earlier.position < head.position) \
            ORDER BY due_at, position LIMIT ?4\(skipsLocked)\(isAmong.1) RETURNING \(columns)
            """
        case .removeEvent: "DELETE FROM \(event) WHERE \(isClaimed)"
        case .postponeEvents:
            """
            UPDATE \(event) SET due_at = ?5, claimed_until = 0, \
            attempts = attempts + CASE WHEN position = ?1 THEN 1 ELSE 0 END, \
            detail = CASE WHEN position = ?1 THEN ?6 ELSE detail END \
            WHERE destination = ?3 AND uid = ?4 AND given_up_at IS NULL \
            AND EXISTS (SELECT 1 FROM \(event) WHERE \(isClaimed))
            """
        case .hastenEvents:
            "UPDATE \(event) SET due_at = ?3 WHERE destination = ?1 AND uid = ?2 AND given_up_at IS NULL AND due_at > ?3"
        case .giveUpEvent:
            """
            UPDATE \(event) SET given_up_at = ?3, claimed_until = 0, attempts = attempts + 1, detail = ?4 \
            WHERE \(isClaimed)
            """
        case .sweepEvents:
            removal(from: "event", by: "position", "created_at <= ?1 ORDER BY created_at LIMIT ?2" + skipsLocked)
        case .events: "\(selection(QueuedEvent.table)) WHERE position > ?1 ORDER BY position LIMIT ?2"
        case .countEvents:
            """
            SELECT (SELECT count(*) FROM (SELECT 1 FROM \(event) \
            WHERE destination = ?1 AND given_up_at IS NULL LIMIT ?2) AS waiting), \
            (SELECT count(*) FROM (SELECT 1 FROM \(event) \
            WHERE destination = ?1 AND given_up_at IS NOT NULL LIMIT ?2) AS given_up)
            """
        case .oldestEvent:
            """
            \(selection(QueuedEvent.table)) WHERE destination = ?1 AND given_up_at IS NULL ORDER BY position LIMIT 1
            """
        default: ""
        }
    }
}

extension QueuedEvent: AccountRecord {
    package static let table = AccountTable(
        name: "event",
        columns: [
            "position": .number, "id": .text, "type": .text, "uid": .text, "created_at": .number, "body": .text,
            "destination": .text, "attempts": .number, "due_at": .number, "claimed_until": .number,
            "given_up_at": .number, "detail": .text,
        ])

    package var row: [AccountValue] {
        [.number(position)] + event.row + [
            .text(destination), .number(attempts), .number(dueAt), .number(claimedUntil), .number(givenUpAt),
            .text(detail),
        ]
    }

    package init(row: some AccountColumns) throws(AccountStoreError) {
        let event = AccountEvent(
            id: try row.text(1), type: try row.text(2), account: try row.account(3), time: try row.number(4),
            json: try row.text(5))
        self.init(
            event, for: try row.text(6), position: try row.number(0), attempts: try row.number(7),
            dueAt: try row.number(8), claimedUntil: try row.number(9), givenUpAt: try row.numberIfAny(10),
            detail: try row.textIfAny(11))
    }
}

extension AccountEvent {
    fileprivate var row: [AccountValue] {
        [.text(id), .text(type), .text(account.text), .number(time), .text(json)]
    }
}

/// The numbers of events of a queue.
private struct EventCounts: AccountRecord {
    static let table = AccountTable(name: "event", columns: ["waiting": .number, "given_up": .number])
    let waiting: Int64
    let givenUp: Int64

    var row: [AccountValue] { [.number(waiting), .number(givenUp)] }

    init(row: some AccountColumns) throws(AccountStoreError) {
        (waiting, givenUp) = (try row.number(0), try row.number(1))
    }
}

/// The outbox of a store on SQL.
extension SQLAccountTransaction {
    package var outbox: (any AccountOutbox)? { self }

    package func append(_ event: AccountEvent, for destination: String) throws {
        try write(.appendEvent, event.row + [.text(destination)])
    }

    package func claim(
        for destination: String, limit: Int, until time: Int64, at now: Int64
    ) throws -> [QueuedEvent] {
        try find(
            .claimEvents, [.text(destination), .number(now), .number(time), .number(Int64(max(0, limit)))])
    }

    package func remove(_ event: QueuedEvent, at now: Int64) throws {
        guard try write(.removeEvent, event.claim) > 0 else { return }
        try hasten(event, at: now)
    }

    package func postpone(_ event: QueuedEvent, until time: Int64, because detail: String) throws {
        try write(
            .postponeEvents,
            event.claim + [.text(event.destination), .text(event.event.account.text), .number(time), .text(detail)])
    }

    package func giveUp(_ event: QueuedEvent, at now: Int64, because detail: String) throws {
        guard try write(.giveUpEvent, event.claim + [.number(now), .text(detail)]) > 0 else { return }
        try hasten(event, at: now)
    }

    package func events(after position: Int64, limit: Int) throws -> [QueuedEvent] {
        try find(.events, [.number(position), .number(Int64(max(0, limit)))])
    }

    package func usage(of destination: String, upTo limit: Int) throws -> OutboxUsage {
        let counts: [EventCounts] = try find(.countEvents, [.text(destination), .number(Int64(max(0, limit)))])
        let oldest: [QueuedEvent] = try find(.oldestEvent, [.text(destination)])
        return OutboxUsage(
            waiting: Int(counts.first?.waiting ?? 0), oldest: oldest.first?.event.time,
            givenUp: Int(counts.first?.givenUp ?? 0))
    }

    /// The events of an account after one that was tried in vain had waited for it.
    private func hasten(_ event: QueuedEvent, at now: Int64) throws {
        guard event.attempts > 0 else { return }
        try write(
            .hastenEvents, [.text(event.destination), .text(event.event.account.text), .number(now)])
    }
}

extension QueuedEvent {
    fileprivate var claim: [AccountValue] { [.number(position), .number(claimedUntil)] }
}
