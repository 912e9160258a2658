// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import StoreTesting
import Synchronization
import Testing

@testable import Accounts

/// The delivery of events: when, how often and in which order.
struct EventDeliveryTests {
    typealias Machine = EventDelivery.StateMachine
    static let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()
    static let start: Int64 = 1_790_000_000

    static func event(_ id: String, of account: String = "ada", at time: Int64 = start) throws -> AccountEvent {
        AccountEvent(
            id: id, type: "account.updated", account: try #require(AccountID(account)), time: time, json: "{}")
    }

    static func queued(attempts: Int64 = 0, at time: Int64 = start, until end: Int64 = start + 180) throws
        -> QueuedEvent
    {
        QueuedEvent(
            try event("1", at: time), for: "webhook", position: 1, attempts: attempts, dueAt: time, claimedUntil: end,
            givenUpAt: nil, detail: nil)
    }

    static let tries: [(attempts: Int64, age: Int64, expected: EventDelivery.StateMachine.Settlement)] = [
        (0, 0, .postpone(until: start + 1)),
        (1, 1, .postpone(until: start + 2)), (4, 60, .postpone(until: start + 16)),
        (11, 4000, .postpone(until: start + 2048)), (12, 8000, .postpone(until: start + 3600)),
        (.max - 1, 3 * 86_400 - 1, .postpone(until: start + 3600)), (70, 3 * 86_400, .giveUp), (0, 3 * 86_400, .giveUp),
    ]

    @Test(arguments: tries)
    func `an event is tried again after twice as long each time, for three days, and once at least`(
        row: (attempts: Int64, age: Int64, expected: Machine.Settlement)
    ) throws {
        let event = try Self.queued(attempts: row.attempts, at: Self.start - row.age)
        #expect(Machine().settle(event, refusal: EventRefusal("503"), at: Self.start) == row.expected)
        #expect(Machine().settle(event, refusal: EventRefusal("400", isFinal: true), at: Self.start) == .giveUp)
        #expect(Machine().settle(event, refusal: nil, at: Self.start) == .remove)
    }

    @Test func `a receiver that takes nothing is asked with one event, and less and less often`() {
        var (machine, now, pauses) = (Machine(), Self.start, [Int64]())
        #expect(machine.next(at: now) == .claim(limit: 16, until: now + 180))
        for _ in 0..<8 {
            let pause = machine.ended(delivered: 0, refused: 1, at: now)
            #expect(machine.next(at: now) == .wait(pause))
            #expect(machine.next(at: now + pause - 1) == .wait(1))
            #expect(machine.next(at: now - 5000) == .wait(60))
            pauses.append(pause)
            now += pause
            #expect(machine.next(at: now) == .claim(limit: 1, until: now + 180))
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60])
        #expect(machine.ended(delivered: 1, refused: 0, at: now) == 0)
        #expect(machine.next(at: now) == .claim(limit: 16, until: now + 180))
        // Some are taken: the receiver is there.
        #expect(machine.ended(delivered: 3, refused: 5, at: now) == 1)
        #expect(machine.ended(delivered: 9, refused: 7, at: now) == 0)
        #expect(machine.ended(delivered: 0, refused: 0, at: now) == 1)
        #expect(machine.next(at: now) == .claim(limit: 16, until: now + 180))
    }

    @Test func `an event is sent in the first minute of its claim only`() throws {
        let event = try Self.queued(until: Self.start + 180)
        #expect(Machine().maySend(event, at: Self.start + 60))
        #expect(!Machine().maySend(event, at: Self.start + 61))
    }

    /// What came, and what is answered.
    private final class Receiver: Sendable {
        let received = Mutex<[String]>([])
        let refused = Mutex<Set<String>>([])

        func take(_ event: AccountEvent) throws {
            received.withLock { $0.append(event.id) }
            guard !refused.withLock({ $0.contains(event.id) }) else { throw EventRefusal("400") }
        }
    }

    @Test func `events of an account come one after another, and one that is refused holds up no other account`()
        async throws
    {
        let (store, receiver) = (ModelAccountStore(), Receiver())
        let time = Atomic(Self.start)
        for (id, account) in [("1", "ada"), ("2", "ada"), ("3", "bob"), ("4", "bob")] {
            let event = try Self.event(id, of: account)
            try store.transact(.write) { try $0.outbox?.append(event, for: "webhook") }
        }
        receiver.refused.withLock { $0 = ["1"] }
        let delivery = EventDelivery(
            store: store, listener: .webhook(), clock: { time.load(ordering: .relaxed) },
            receiver: { event, _ in try receiver.take(event) })
        func pass() async throws -> (received: [String], counts: [EventDelivery.Outcome: Int], detail: String?) {
            let (_, report) = try await delivery.pass(on: Self.loop)
            let received = receiver.received.withLock { received in
                defer { received = [] }
                return received.sorted()
            }
            return (received, report.counts, report.detail)
        }
        let first = try await pass()
        #expect(
            first.received == ["1", "3"] && first.counts == [.delivered: 1, .postponed: 1] && first.detail == "400")
        #expect(try await pass().received == ["4"])
        #expect(try await pass().received.isEmpty)
        time.add(1, ordering: .relaxed)
        #expect(try await pass().received == ["1"])
        // For three days, after which the next one comes.
        time.add(3 * 86_400, ordering: .relaxed)
        #expect(try await pass().counts == [.givenUp: 1])
        #expect(try await delivery.measure(on: Self.loop) == OutboxUsage(waiting: 1, oldest: Self.start, givenUp: 1))
        time.add(60, ordering: .relaxed)
        #expect(try await pass().received == ["2"])
        #expect(try await delivery.measure(on: Self.loop) == OutboxUsage(waiting: 0, oldest: nil, givenUp: 1))
    }

    @Test func `what an error says is kept only if it is one of ours`() async throws {
        struct Secretive: Error, CustomStringConvertible { let description = "the code is 1234" }
        let (store, event) = (ModelAccountStore(), try Self.event("1"))
        try store.transact(.write) { try $0.outbox?.append(event, for: "webhook") }
        let delivery = EventDelivery(
            store: store, listener: .webhook(), clock: { Self.start }, receiver: { _, _ in throw Secretive() })
        #expect(try await delivery.pass(on: Self.loop).report.detail == "Secretive")
        #expect(try store.transact(.list) { try $0.outbox?.events(after: 0, limit: 9) }?.map(\.detail) == ["Secretive"])
    }
}
