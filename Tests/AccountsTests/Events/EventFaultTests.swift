// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzingSupport
import NIOCore
import StoreTesting
import Synchronization
import Testing

@testable import Accounts

/// The store fails, the receiver fails and processes die, each at random: every event arrives, and none before an earlier
/// one of its account. A seed that failed fails again. EVENT_FAULT_SEEDS is the number of seeds for a longer run.
struct EventFaultTests {
    static let seeds = 0..<(UInt64(ProcessInfo.processInfo.environment["EVENT_FAULT_SEEDS"] ?? "") ?? 40)

    private struct Fault: Error {}

    private final class Dice: Sendable {
        private let random: Mutex<SeededRandom>

        init(seed: UInt64) { random = Mutex(SeededRandom(seed: seed)) }

        func below(_ bound: Int) -> Int { random.withLock { $0.below(bound) } }
    }

    /// A store that fails before a transaction, or after it was committed.
    private struct FaultyStore: AccountStore {
        let model: ModelAccountStore
        let dice: Dice
        let isFaulty: @Sendable () -> Bool

        func transact<Result: Sendable>(
            _ mode: AccountTransactionMode, on eventLoop: any EventLoop,
            _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
        ) -> EventLoopFuture<Result> {
            let fault = isFaulty() ? dice.below(6) : 9
            return eventLoop.makeCompletedFuture {
                if fault == 0 { throw AccountStoreError(.unavailable, "before") }
                let result = try self.model.transact(mode, body)
                if fault == 1 { throw AccountStoreError(.unavailable, "after") }
                return result
            }
        }

        func sweep(before now: Int64, limit: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
            model.sweep(before: now, limit: limit, on: eventLoop)
        }
    }

    /// Two processes that deliver, and what arrived.
    private final class World: Sendable {
        let model = ModelAccountStore()
        let dice: Dice
        let time = Atomic(EventDeliveryTests.start)
        let isFaulty = Atomic(true)
        let arrived = Mutex<[AccountEvent]>([])
        private let appended = Mutex<[QueuedEvent]>([])
        private let processes = Mutex<[EventDelivery]>([])

        init(seed: UInt64) {
            dice = Dice(seed: seed)
            for number in 0...1 { start(number) }
        }

        var store: FaultyStore {
            FaultyStore(model: model, dice: dice, isFaulty: { [self] in isFaulty.load(ordering: .relaxed) })
        }

        /// What was committed, in order.
        var committed: [AccountEvent] { appended.withLock { $0.map(\.event) } }

        var waiting: Int {
            get throws { try model.transact(.list) { try $0.outbox?.usage(of: "webhook", upTo: .max).waiting ?? 0 } }
        }

        /// A process begins, as after it was killed. What another one has claimed stays claimed.
        func start(_ number: Int) {
            let delivery = EventDelivery(
                store: store, listener: .webhook(), clock: { [self] in time.load(ordering: .relaxed) }
            ) { [self] event, loop in try await receive(event, by: number, on: loop) }
            processes.withLock { processes in
                if processes.indices.contains(number) {
                    processes[number] = delivery
                } else {
                    processes.append(delivery)
                }
            }
        }

        func pass(of number: Int, on loop: any EventLoop) async {
            _ = try? await processes.withLock { $0[number] }.pass(on: loop)
        }

        private func receive(_ event: AccountEvent, by number: Int, on loop: any EventLoop) async throws {
            let isFaulty = isFaulty.load(ordering: .relaxed)
            guard !isFaulty || dice.below(4) > 0 else { throw Fault() }
            arrived.withLock { $0.append(event) }
            // The other process goes on meanwhile, also where the time of the claim ends.
            if isFaulty, number == 0, dice.below(8) == 0 {
                time.add([1, 30, 200][dice.below(3)], ordering: .relaxed)
                await pass(of: 1, on: loop)
            }
            guard !isFaulty || dice.below(6) > 0 else { throw Fault() }
        }

        /// Something happens to an account.
        func write(on loop: any EventLoop) async throws {
            let id = try #require(AccountID("account-\(dice.below(4))"))
            let (kind, now) = (dice.below(6), time.load(ordering: .relaxed))
            _ = try? await store.transact(.write, on: loop) { transaction in
                try EventRecorder.run(for: .webhook(), in: transaction, at: now) { transaction in
                    guard var account = try transaction.account(id) else {
                        return try transaction.insert(Account(id: id, createdAt: now))
                    }
                    if kind == 0 { return try transaction.remove(id) }
                    account.isDisabled.toggle()
                    if kind == 1 { account.displayName = (account.displayName ?? "") + "x" }
                    try transaction.update(account)
                }
            }.get()
            try appended.withLock { appended in
                let last = appended.last?.position ?? 0
                appended += try model.transact(.list) { try $0.outbox?.events(after: last, limit: 10) ?? [] }
            }
        }
    }

    @Test(arguments: seeds) func `every event arrives, in the order of its account`(seed: UInt64) async throws {
        let (world, loop) = (World(seed: seed), EventDeliveryTests.loop)
        for _ in 0..<60 {
            switch world.dice.below(6) {
            case 0, 1: try await world.write(on: loop)
            case 2: world.start(world.dice.below(2))
            case 3: world.time.add(Int64(world.dice.below(90)), ordering: .relaxed)
            default: await world.pass(of: world.dice.below(2), on: loop)
            }
        }
        world.isFaulty.store(false, ordering: .relaxed)
        for _ in 0..<200 where try world.waiting > 0 {
            world.time.add(400, ordering: .relaxed)
            for number in 0...1 { await world.pass(of: number, on: loop) }
        }
        let (committed, arrived) = (world.committed, world.arrived.withLock { $0 })
        #expect(!committed.isEmpty)
        var seen: Set<String> = []
        let first = arrived.filter { seen.insert($0.id).inserted }
        for account in Set(committed.map(\.account)) {
            #expect(
                first.filter { $0.account == account }.map(\.id)
                    == committed.filter { $0.account == account }.map(\.id),
                "seed \(seed)")
        }
        #expect(first.count == committed.count)
    }
}
