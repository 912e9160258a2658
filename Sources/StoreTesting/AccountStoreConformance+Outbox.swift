// SPDX-License-Identifier: Apache-2.0

import Accounts
import NIOCore

// The outbox.
extension AccountStoreConformance {
    private static func event(_ name: String, of account: String, at time: Int64 = start) -> AccountEvent {
        AccountEvent(
            id: name, type: "account.updated", account: AccountID(account) ?? AccountID(), time: time,
            json: "{\"name\":\"\(name)\"}")
    }

    private static func outbox(_ transaction: any AccountTransaction) throws -> any AccountOutbox {
        guard let outbox = transaction.outbox else { throw AccountStoreError(.conflict, "no outbox") }
        return outbox
    }

    @Sendable static func eventsAreInOrder(_ examination: inout AccountExamination) async throws {
        let appended = [
            event("1", of: "ada"), event("2", of: "bob"), event("3", of: "ada"), event("4", of: "\u{E9}"),
            event("5", of: "bob"),
        ]
        try await examination.transact { transaction in
            for event in appended { try outbox(transaction).append(event, for: "webhook") }
        }
        try await examination.append(event("other", of: "ada"), for: "other")
        let all = try await examination.events()
        examination.check(
            all.map(\.event) == appended + [event("other", of: "ada")],
            "Events come back in order as they were appended.")
        examination.check(
            all.allSatisfy { $0.attempts == 0 && $0.dueAt == start && $0.claimedUntil == 0 && $0.givenUpAt == nil },
            "An event that was appended is due at once, and unclaimed.")
        let error = await examination.error { transaction in
            try outbox(transaction).append(event("6", of: "ada"), for: "webhook")
            throw AccountExamination.BodyError(number: 1)
        }
        let left = try await examination.events()
        examination.check(
            error is AccountExamination.BodyError && left == all,
            "What a failed transaction appended is not there.")
        var delivered: [[String]] = []
        for _ in 0..<4 {
            let claimed = try await examination.claim(limit: 10)
            delivered.append(claimed.map(\.event.id))
            try await examination.settle { for event in claimed { try $0.remove(event, at: start) } }
        }
        examination.check(
            delivered == [["1", "2", "4"], ["3", "5"], [], []],
            "The first event of each account is claimed, and the next one after it was removed, but \(delivered).")
        examination.check(
            try await examination.events().map(\.event.id) == ["other"], "Each destination has a queue of its own.")
    }

    @Sendable static func claimsEvents(_ examination: inout AccountExamination) async throws {
        for (name, account) in [("1", "ada"), ("2", "bob"), ("3", "ada")] {
            try await examination.append(event(name, of: account), for: "webhook")
        }
        let first = try await examination.claim(limit: 1, until: start + 60)
        examination.check(
            first.map(\.event.id) == ["1"] && first[0].claimedUntil == start + 60,
            "No more are claimed than the limit says, the longest due first.")
        let second = try await examination.claim(limit: 9, until: start + 60, at: start + 59)
        examination.check(second.map(\.event.id) == ["2"], "What is claimed is not claimed again before its time.")
        let again = try await examination.claim(limit: 9, until: start + 180, at: start + 60)
        examination.check(again.map(\.event.id) == ["1", "2"], "A claim ends.")
        try await examination.settle { outbox in
            for event in first + second {
                try outbox.remove(event, at: start)
                try outbox.postpone(event, until: start + 900, because: "late")
                try outbox.giveUp(event, at: start, because: "late")
            }
        }
        examination.check(
            try await examination.events().map(\.claimedUntil) == [start + 180, start + 180, 0],
            "An earlier claimant of an event changes nothing.")
        guard let head = again.first else { return }
        try await examination.settle { try $0.postpone(head, until: start + 300, because: "503") }
        let postponed = try await examination.events()
        examination.check(
            postponed.map(\.dueAt) == [start + 300, start, start + 300]
                && postponed.map(\.attempts) == [1, 0, 0] && postponed.map(\.detail) == ["503", nil, nil]
                && postponed.map(\.claimedUntil) == [0, start + 180, 0],
            "An event is postponed with those of its account.")
        try await examination.append(event("4", of: "ada"), for: "webhook")
        examination.check(
            try await examination.claim(limit: 9, at: start + 179).isEmpty, "A new event waits for the others.")
        let third = try await examination.claim(limit: 9, until: start + 400, at: start + 300)
        examination.check(
            third.map(\.event.id) == ["2", "1"] || third.map(\.event.id) == ["1", "2"], "It is due later.")
        let ada = third.filter { $0.event.id == "1" }
        try await examination.settle { for event in ada { try $0.remove(event, at: start + 200) } }
        examination.check(
            try await examination.claim(limit: 9, at: start + 200).map(\.event.id) == ["3"],
            "After an event that was postponed was delivered, the next one is due at once.")
    }

    @Sendable static func givesEventsUp(_ examination: inout AccountExamination) async throws {
        for name in ["1", "2"] { try await examination.append(event(name, of: "ada"), for: "webhook") }
        let claimed = try await examination.claim(limit: 9)
        try await examination.settle {
            for event in claimed { try $0.postpone(event, until: start + 60, because: "503") }
        }
        let again = try await examination.claim(limit: 9, until: start + 180, at: start + 60)
        try await examination.settle { for event in again { try $0.giveUp(event, at: start + 60, because: "400") } }
        let kept = try await examination.events()
        examination.check(
            kept.map(\.givenUpAt) == [start + 60, nil] && kept.map(\.attempts) == [2, 0]
                && kept.map(\.detail) == ["400", nil], "An event that was given up is kept.")
        examination.check(
            try await examination.claim(limit: 9, at: start + 60).map(\.event.id) == ["2"],
            "The next event of the account is due at once.")
    }

    @Sendable static func countsAndSweepsEvents(_ examination: inout AccountExamination) async throws {
        let usage: @Sendable (any AccountTransaction) throws -> OutboxUsage = {
            try outbox($0).usage(of: "webhook", upTo: 2)
        }
        examination.check(
            try await examination.transact(.list, usage) == OutboxUsage(waiting: 0, oldest: nil, givenUp: 0),
            "An empty queue has no events.")
        for (number, name) in ["1", "2", "3", "4"].enumerated() {
            try await examination.append(event(name, of: name, at: start + Int64(number)), for: "webhook")
        }
        let claimed = try await examination.claim(limit: 1)
        try await examination.settle { for event in claimed { try $0.giveUp(event, at: start, because: "400") } }
        examination.check(
            try await examination.transact(.list, usage)
                == OutboxUsage(waiting: 2, oldest: start + 1, givenUp: 1),
            "Events are counted up to a limit.")
        let end = start + AccountLimits.eventDays * 86_400
        let swept = [
            try await examination.sweep(before: end + 2, limit: 1),
            try await examination.sweep(before: end + 2, limit: 9),
        ]
        let left = try await examination.events().map(\.event.id)
        examination.check(
            swept == [1, 2] && left == ["4"], "Events are swept after their days, whatever became of them: \(left).")
    }

    @Sendable static func claimsOnceInParallel(_ examination: inout AccountExamination) async throws {
        for number in 0..<20 { try await examination.append(event("\(number)", of: "\(number)"), for: "webhook") }
        let (store, eventLoop) = (examination.store, examination.eventLoop)
        let claimed = try await withThrowingTaskGroup(of: [QueuedEvent].self) { group in
            for _ in 0..<10 {
                group.addTask {
                    try await store.transact(.queue, on: eventLoop) {
                        try outbox($0).claim(for: "webhook", limit: 4, until: start + 60, at: start)
                    }.get()
                }
            }
            return try await group.reduce(into: [String]()) { $0 += $1.map(\.event.id) }
        }
        examination.check(Set(claimed).count == claimed.count, "An event is claimed once, by whomever.")
    }
}

extension AccountExamination {
    fileprivate func append(_ event: AccountEvent, for destination: String) async throws {
        try await transact { try $0.outbox?.append(event, for: destination) }
    }

    fileprivate func events() async throws -> [QueuedEvent] {
        try await transact(.list) { try $0.outbox?.events(after: 0, limit: 100) ?? [] }
    }

    fileprivate func claim(
        limit: Int, until time: Int64 = AccountStoreConformance.start + 60,
        at now: Int64 = AccountStoreConformance.start
    ) async throws -> [QueuedEvent] {
        try await transact(.queue) {
            try $0.outbox?.claim(for: "webhook", limit: limit, until: time, at: now) ?? []
        }.sorted { $0.position < $1.position }
    }

    fileprivate func settle(_ body: @escaping @Sendable (any AccountOutbox) throws -> Void) async throws {
        try await transact(.queue) { transaction in
            if let outbox = transaction.outbox { try body(outbox) }
        }
    }
}
