// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing

@testable import Admission

/// The memory that clients hold together.
struct MemoryBudgetTests {
    /// The connections that were cut, by number.
    private final class Cuts: Sendable {
        private let cuts = Mutex<[(number: Int, cut: MemoryBudget.Cut)]>([])
        func add(_ number: Int, _ cut: MemoryBudget.Cut) { cuts.withLock { $0.append((number, cut)) } }
        func take() -> [Int] {
            cuts.withLock { cuts in
                defer { cuts.removeAll() }
                return cuts.map(\.number)
            }
        }
    }

    private static let base = HeldMemory.connectionBytes
    private static let step = MemorySteps.byteCount

    private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

    @Test func `a connection counts from its start to its end, in steps`() throws {
        let budget = MemoryBudget(bytes: 1 << 20)
        var connection: HeldConnection? = budget.open(from: try address("192.0.2.1")) { _ in }
        #expect(budget.held(.connections) == Self.base && budget.held(.responses) == 0)
        #expect(connection?.isIdle == true)
        #expect(connection?.grow(by: 1) == nil)
        #expect(connection?.grow(by: Self.step) == nil)
        #expect(budget.held(.responses) == 2 * Self.step)
        #expect(connection?.isIdle == false)
        connection?.shrink(by: 2)
        #expect(budget.held(.responses) == Self.step)
        connection?.shrink(by: Self.step - 1)
        #expect(budget.held(.responses) == 0)
        #expect(connection?.isIdle == true)
        #expect(connection?.grow(by: 5) == nil)
        connection = nil
        #expect(budget.held == 0 && budget.networkCount(.connections) == 0 && budget.networkCount(.responses) == 0)
    }

    @Test func `a connection with a request is not idle`() throws {
        let connection = try #require(MemoryBudget(bytes: 1 << 20).open(from: nil) { _ in })
        connection.requestBegan()
        connection.requestBegan()
        connection.requestEnded()
        #expect(!connection.isIdle)
        connection.requestEnded()
        #expect(connection.isIdle)
    }

    @Test func `a network has an eighth for responses, and others go on`() throws {
        let budget = MemoryBudget(bytes: 64 * Self.step)
        let greedy = try #require(budget.open(from: try address("192.0.2.1")) { _ in })
        #expect(greedy.grow(by: 8 * Self.step) == nil)
        #expect(greedy.grow(by: 1) == .network)
        let neighbor = try #require(budget.open(from: try address("192.0.2.1")) { _ in })
        #expect(neighbor.grow(by: 1) == .network)
        let other = try #require(budget.open(from: try address("192.0.2.2")) { _ in })
        #expect(other.grow(by: 8 * Self.step) == nil)
        // What was refused is not counted.
        greedy.shrink(by: 8 * Self.step)
        #expect(neighbor.grow(by: 8 * Self.step) == nil)
    }

    @Test func `requests that wait have an eighth for a network, and half for all`() throws {
        let bytes = HeldMemory.requestBytes
        let budget = MemoryBudget(bytes: 64 * bytes)
        for number in 0..<4 {
            // Both are in one /48.
            for text in ["2001:db8:\(number)::1", "2001:db8:\(number):100::1"] {
                let client = try address(text)
                for _ in 0..<4 { #expect(budget.take(bytes, of: .requests, for: client) == nil) }
            }
            let next = try address("2001:db8:\(number):200::1")
            #expect(budget.take(bytes, of: .requests, for: next) == .network)
        }
        let other = try address("192.0.2.1")
        for client in [other, nil] { #expect(budget.take(bytes, of: .requests, for: client) == .total) }
        // The rest is for what can be cut.
        let connection = budget.open(from: other) { _ in }
        #expect(connection != nil)
        budget.giveBack(bytes, of: .requests, for: try address("2001:db8:0:100::1"))
        #expect(budget.take(bytes, of: .requests, for: other) == nil)
    }

    @Test func `where it is nearly used, the largest holders are cut, those of one network first`() throws {
        let budget = MemoryBudget(bytes: 1024 * Self.step) { row, size in
            .init(maximum: size, share: size)
        }
        let cuts = Cuts()
        var connections: [HeldConnection] = []
        // One network holds most, in two connections; ten others hold little.
        for (number, bytes) in [(0, 500), (1, 200)] {
            let held = try #require(budget.open(from: try address("192.0.2.1")) { cuts.add(number, $0) })
            #expect(held.grow(by: bytes * Self.step) == nil)
            connections.append(held)
        }
        for number in 2..<12 {
            let held = try #require(budget.open(from: try address("198.51.100.\(number)")) { cuts.add(number, $0) })
            #expect(held.grow(by: 10 * Self.step) == nil)
            connections.append(held)
        }
        #expect(cuts.take() == [])
        let unknown = try #require(budget.open(from: nil) { cuts.add(100, $0) })
        #expect(unknown.grow(by: 80 * Self.step) == nil)
        // Seven eighths are used now: down to three quarters, what the largest connection holds is enough.
        #expect(cuts.take() == [0])
        // It counts until it is gone, and no other client is cut for it. Others get the last eighth meanwhile.
        #expect(connections[2].grow(by: 60 * Self.step) == nil)
        #expect(cuts.take() == [])
        connections.removeFirst()
        #expect(unknown.grow(by: 440 * Self.step) == nil)
        #expect(cuts.take() == [1])
    }

    @Test(arguments: [HeldMemory.bodies, .longBodies, .requests])
    func `the largest holder is the one that holds most of all, not only in its connections`(row: HeldMemory) throws {
        let budget = MemoryBudget(bytes: 1024 * Self.step) { .init(maximum: $1, share: $1) }
        let cuts = Cuts()
        let posting = try address("192.0.2.1")
        let connections = try [1, 2].map { number in
            try #require(budget.open(from: try address("192.0.2.\(number)")) { cuts.add(number, $0) })
        }
        #expect(connections[0].grow(by: 150 * Self.step) == nil)
        #expect(budget.take(350 * Self.step, of: row, for: posting) == nil)
        #expect(connections[1].grow(by: 300 * Self.step) == nil)
        #expect(cuts.take() == [])
        #expect(budget.take(100 * Self.step, of: row, for: nil) == nil)
        #expect(cuts.take() == [1])
    }

    @Test func `the bodies of a client leave with its connections, so that no other client is cut for them`() throws {
        let budget = MemoryBudget(bytes: 1024 * Self.step) { .init(maximum: $1, share: $1) }
        let cuts = Cuts()
        let posting = try address("192.0.2.1")
        var connections = try [1, 1, 2].enumerated().map { number, host in
            try #require(budget.open(from: try address("192.0.2.\(host)")) { cuts.add(number, $0) })
        }
        for (connection, count) in zip(connections, [20, 20, 250]) {
            #expect(connection.grow(by: count * Self.step) == nil)
        }
        #expect(budget.take(150 * Self.step, of: .bodies, for: posting) == nil)
        #expect(budget.take(100 * Self.step, of: .longBodies, for: posting) == nil)
        #expect(budget.take(340 * Self.step, of: .responses, for: nil) == nil)
        #expect(cuts.take() == [])
        // One of the two connections, and half of the bodies with it.
        #expect(budget.take(14 * Self.step, of: .responses, for: nil) == nil)
        #expect(cuts.take() == [1])
        connections.remove(at: 1)
        budget.giveBack(75 * Self.step, of: .bodies, for: posting)
        budget.giveBack(50 * Self.step, of: .longBodies, for: posting)
        // Nothing of them counts as leaving any more.
        #expect(budget.take(150 * Self.step, of: .responses, for: nil) == nil)
        #expect(cuts.take() == [2])
        #expect(connections.count == 2)
    }

    @Test(
        arguments: [(.values, 64, 4), (.attempts, 4, 1), (.log, 32, 2), (.audit, 32, 2)] as [(HeldMemory, Int, Int)])
    func `a queue has a part of the budget`(row: HeldMemory, most: Int, ofSmallest: Int) throws {
        for (size, most) in [(1024, most), (16, ofSmallest)] {
            let budget = MemoryBudget(bytes: size << 20)
            var queue = HeldQueue(row, in: budget)
            #expect(queue.take(most << 20) == true)
            #expect(queue.take(1) == false)
            #expect(queue.bytes == most << 20 && budget.held(row) == most << 20)
            queue.giveBack(1)
            #expect(queue.take(1) == true)
            queue.giveBack(most << 20)
            #expect(budget.held == 0)
        }
    }

    @Test func `a queue counts in steps, and what it held before it had a budget too`() {
        let budget = MemoryBudget(bytes: 64 * Self.step)
        var queue = HeldQueue(.log, in: nil)
        #expect([queue.take(Self.step), queue.take(1)] == [true, true])
        queue.count(in: budget)
        #expect(budget.held(.log) == 2 * Self.step)
        queue.giveBack(1)
        #expect(budget.held(.log) == Self.step)
        queue.giveBack(Self.step)
        #expect(budget.held == 0)
    }

    @Test func `where all is used up, only the audit has room, and others have less meanwhile`() {
        let budget = MemoryBudget(bytes: 1024 * Self.step)
        #expect(budget.take(budget.size, of: .responses, for: nil) == nil)
        for row in [HeldMemory.values, .attempts, .log] {
            var queue = HeldQueue(row, in: budget)
            #expect(queue.take(1) == false)
        }
        var audit = HeldQueue(.audit, in: budget)
        #expect([audit.take(budget.size / 8), audit.take(1)] == [true, false])
        budget.giveBack(budget.size / 8, of: .responses, for: nil)
        #expect(budget.take(1, of: .responses, for: nil) == .total)
        audit.giveBack(budget.size / 8)
        #expect(budget.take(1, of: .responses, for: nil) == nil)
    }

    @Test func `the last eighth is for those who hold less than the average, also before any client is gone`() throws {
        let budget = MemoryBudget(bytes: 1024 * Self.step) { .init(maximum: $1, share: $1) }
        let cuts = Cuts()
        var greedy: [HeldConnection] = []
        for number in 0..<8 {
            let held = try #require(budget.open(from: try address("192.0.2.\(number)")) { cuts.add(number, $0) })
            #expect(held.grow(by: 108 * Self.step) == nil)
            greedy.append(held)
        }
        #expect(cuts.take() == [])
        // They are told to leave and are still there: a client that asks for more gets nothing.
        for held in greedy { while held.grow(by: 8 * Self.step) == nil {} }
        #expect(!cuts.take().isEmpty)
        #expect(budget.held <= 1024 / 8 * 7 * Self.step)
        #expect(budget.open(from: try address("192.0.2.0")) { _ in } == nil)
        // Sixteen others come meanwhile, each with what a sign-in needs.
        let others = try (0..<16).map { number in
            try #require(budget.open(from: try address("198.51.100.\(number)")) { cuts.add(100 + number, $0) })
        }
        #expect(others.allSatisfy { $0.grow(by: 4 * Self.step) == nil })
        #expect(cuts.take().allSatisfy { $0 < 8 })
    }

    @Test func `of those who hold little, idle ones are cut before those who do something`() throws {
        let budget = MemoryBudget(bytes: 1024 * Self.step) { .init(maximum: $1, share: $1) }
        let cuts = Cuts()
        var connections: [HeldConnection] = []
        // Each does what a sign-in does.
        for number in 0..<10 {
            let held = try #require(budget.open(from: try address("192.0.2.\(number)")) { cuts.add(number, $0) })
            #expect(held.grow(by: 4 * Self.step) == nil)
            connections.append(held)
        }
        for number in 0..<450 {
            let client = try address("2001:db8:\(String(number, radix: 16))::1")
            guard let held = budget.open(from: client, cut: { cuts.add(100 + number, $0) }) else { break }
            connections.append(held)
        }
        let cut = cuts.take()
        #expect(!cut.isEmpty && cut.allSatisfy { $0 >= 100 })
    }

    @Test func `a client that is not known is never cut, and finds no room beyond the whole`() throws {
        let budget = MemoryBudget(bytes: 64 * Self.step) { .init(maximum: $1, share: $1) }
        let cuts = Cuts()
        let first = try #require(budget.open(from: nil) { cuts.add(1, $0) })
        #expect(first.grow(by: 62 * Self.step) == nil)
        #expect(budget.open(from: nil) { cuts.add(2, $0) } == nil)
        #expect(first.grow(by: 1) == .total)
        #expect(cuts.take() == [])
        #expect(budget.held == 64 * Self.step)
    }

    @Test func `one more connection cuts the largest holder where only its own room is missing`() throws {
        let budget = MemoryBudget(bytes: 64 * Self.step) { .init(maximum: $1, share: $1) }
        let cuts = Cuts()
        let large = try #require(budget.open(from: try address("192.0.2.1")) { cuts.add(1, $0) })
        #expect(large.grow(by: 50 * Self.step) == nil)
        let others = try (0..<6).compactMap { number in
            budget.open(from: try address("198.51.100.\(number)")) { cuts.add(10 + number, $0) }
        }
        #expect(cuts.take() == [1])
        #expect(others.count == 6)
    }

    @Test func `idle connections of the largest holders are asked to close`() throws {
        let budget = MemoryBudget(bytes: 1 << 24)
        let cuts = Cuts()
        let connections = try (0..<40).compactMap { number in
            budget.open(from: try address(number < 20 ? "192.0.2.1" : "198.51.100.\(number)")) { cuts.add(number, $0) }
        }
        budget.closeIdleOfLargestHolders(atMost: 16)
        let asked = cuts.take()
        #expect(asked.count == 16 && asked.allSatisfy { $0 < 20 })
        #expect(connections.count == 40)
    }

    @Test func `of one network those are asked to close first whose client has to wait`() throws {
        let budget = MemoryBudget(bytes: 1 << 24)
        let cuts = Cuts()
        let connections = try (0..<20).compactMap { number in
            budget.open(from: try address("192.0.2.1")) { cuts.add(number, $0) }
        }
        for number in [18, 7] { connections[number].pause() }
        #expect(connections[18].grow(by: Self.step) == nil)
        budget.closeIdleOfLargestHolders(atMost: 16)
        #expect(cuts.take() == [7, 18, 0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14])
        for number in [18, 7] { connections[number].resume() }
        budget.closeIdleOfLargestHolders(atMost: 16)
        #expect(cuts.take() == Array(0..<16))
    }

    @Test func `a smaller size takes nothing away, and lets no client in until enough is given back`() throws {
        let budget = MemoryBudget(bytes: 8 * Self.base)
        var connections = (0..<5).compactMap { _ in budget.open(from: nil) { _ in } }
        budget.size = 4 * Self.base
        #expect(budget.held == 5 * Self.base)
        #expect(budget.open(from: nil) { _ in } == nil)
        connections.removeFirst(2)
        #expect(budget.open(from: nil) { _ in } != nil)
        #expect(connections.count == 3)
    }

    @Test(arguments: HeldMemory.allCases)
    func `all together is the bound of each`(row: HeldMemory) throws {
        let budget = MemoryBudget(bytes: 100) { _, size in .init(maximum: size, share: size) }
        #expect(budget.take(60, of: .bodies, for: nil) == nil)
        #expect(budget.take(41, of: row, for: nil) == .total)
        #expect(budget.take(40, of: row, for: nil) == nil)
        budget.giveBack(60, of: .bodies, for: nil)
        budget.giveBack(40, of: row, for: nil)
        #expect(budget.held == 0)
    }

    @Test func `an IPv6 holder of many networks is cut before those who hold one each`() throws {
        let budget = MemoryBudget(bytes: 256 * Self.step) { .init(maximum: $1, share: $1) }
        let cuts = Cuts()
        var connections: [HeldConnection] = []
        for number in 0..<10 {
            let honest = try #require(budget.open(from: try address("192.0.2.\(number)")) { cuts.add(number, $0) })
            #expect(honest.grow(by: 10 * Self.step) == nil)
            connections.append(honest)
        }
        // Each /64 has less than an honest address, the /48 eight times as much and more.
        for number in 0..<60 {
            let client = try address("2001:db8:0:\(String(number << 8, radix: 16))::1")
            guard let held = budget.open(from: client, cut: { cuts.add(100 + number, $0) }) else { break }
            connections.append(held)
        }
        let cut = cuts.take()
        #expect(!cut.isEmpty && cut.allSatisfy { $0 >= 100 })
    }

    @Test func `a connection that is cut by its own growth counts once, to its end`() throws {
        var machine = MemoryBudget.StateMachine(size: 64 * Self.step) { .init(maximum: $1, share: $1) }
        let client = try address("192.0.2.1")
        #expect(machine.take(30 * Self.step, of: .bodies, for: nil).excess == nil)
        for _ in 0..<3 {
            let opened = machine.open(from: client) { _ in }
            let number = try #require(opened.number)
            #expect(machine.grow(number, by: 20 * Self.step).cuts.isEmpty)
            #expect(machine.grow(number, by: 6 * Self.step).cuts.count == 1)
            #expect(machine.leavingBytes == 28 * Self.step)
            #expect(machine.grow(number, by: Self.step).excess == nil)
            machine.shrink(number, by: 2 * Self.step)
            #expect(machine.leavingBytes == 27 * Self.step)
            machine.close(number)
            #expect(machine.leavingBytes == 0 && machine.total == 30 * Self.step)
        }
    }

    @Test func `idle ones are found also where one connection alone holds the most, the oldest first`() throws {
        let budget = MemoryBudget(bytes: 1 << 24)
        let cuts = Cuts()
        let heavy = try #require(budget.open(from: try address("203.0.113.1")) { cuts.add(1000, $0) })
        #expect(heavy.grow(by: 1 << 21) == nil)
        let others = try (0..<20).compactMap { number in
            budget.open(from: try address("192.0.2.1")) { cuts.add(number, $0) }
        }
        budget.closeIdleOfLargestHolders(atMost: 16)
        #expect(cuts.take() == Array(0..<16))
        #expect(others.count == 20)
    }
}
