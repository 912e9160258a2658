// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import AccountsSQLite

/// What happens to which write of a group: the state machine.
struct WriteAttemptsTests {
    private static let now = NIODeadline.uptimeNanoseconds(10)

    private func attempts(_ count: Int) -> WriteAttempts {
        WriteAttempts(deadlines: [NIODeadline](repeating: .distantFuture, count: count))
    }

    @Test func `all are tried together, and a commit answers them all`() {
        var attempts = attempts(3)
        #expect(attempts.next(at: Self.now) == .attempt([0, 1, 2]))
        attempts.committed()
        #expect(attempts.next(at: Self.now) == .done)
    }

    @Test func `where one may be the cause each is tried alone, and only that one is refused`() {
        var attempts = attempts(3)
        #expect(attempts.next(at: Self.now) == .attempt([0, 1, 2]))
        #expect(attempts.failed(.ofOne) == [])
        #expect(attempts.next(at: Self.now) == .attempt([0]))
        attempts.committed()
        #expect(attempts.next(at: Self.now) == .attempt([1]))
        #expect(attempts.failed(.ofOne) == [1])
        #expect(attempts.next(at: Self.now) == .attempt([2]))
        attempts.committed()
        #expect(attempts.next(at: Self.now) == .done)
    }

    @Test func `where nothing would go better alone all are refused at once`() {
        var attempts = attempts(3)
        #expect(attempts.next(at: Self.now) == .attempt([0, 1, 2]))
        #expect(attempts.failed(.ofAll) == [0, 1, 2])
        #expect(attempts.next(at: Self.now) == .done)
    }

    @Test func `of those that are tried alone the rest is refused with the first that nothing would go better for`() {
        var attempts = attempts(4)
        _ = attempts.next(at: Self.now)
        _ = attempts.failed(.ofOne)
        #expect(attempts.next(at: Self.now) == .attempt([0]))
        attempts.committed()
        #expect(attempts.next(at: Self.now) == .attempt([1]))
        #expect(attempts.failed(.ofAll) == [1, 2, 3])
        #expect(attempts.next(at: Self.now) == .done)
    }

    @Test(arguments: [WriteAttempts.Failure.ofOne, .ofAll])
    func `one that is tried alone is not tried again`(failure: WriteAttempts.Failure) {
        var attempts = attempts(1)
        #expect(attempts.next(at: Self.now) == .attempt([0]))
        #expect(attempts.failed(failure) == [0])
        #expect(attempts.next(at: Self.now) == .done)
    }

    @Test func `what is late is refused without a transaction, from its deadline on`() {
        var attempts = WriteAttempts(deadlines: [9, 10, 11].map { .uptimeNanoseconds($0) })
        #expect(attempts.next(at: Self.now) == .refuse([0, 1]))
        #expect(attempts.next(at: Self.now) == .attempt([2]))
        #expect(!attempts.isLate(2, at: Self.now))
        #expect(attempts.isLate(2, at: Self.now + .nanoseconds(1)))
    }

    @Test func `what gets late while others are tried alone is refused`() {
        var attempts = WriteAttempts(deadlines: [20, 30, 20].map { .uptimeNanoseconds($0) })
        _ = attempts.next(at: Self.now)
        _ = attempts.failed(.ofOne)
        #expect(attempts.next(at: Self.now) == .attempt([0]))
        attempts.committed()
        #expect(attempts.next(at: Self.now + .nanoseconds(10)) == .refuse([2]))
        #expect(attempts.next(at: Self.now + .nanoseconds(10)) == .attempt([1]))
        attempts.committed()
        #expect(attempts.next(at: Self.now + .nanoseconds(10)) == .done)
    }

    @Test(arguments: 0...4)
    func `whatever fails and when, each is answered once, and no attempt follows what fails for all`(count: Int) {
        let choices: [NIODeadline] = [.uptimeNanoseconds(1), .uptimeNanoseconds(3), .distantFuture]
        var combinations: [[NIODeadline]] = [[]]
        for _ in 0..<count {
            combinations = combinations.flatMap { deadlines in choices.map { deadlines + [$0] } }
        }
        for deadlines in combinations { Walk(count: count, attempts: WriteAttempts(deadlines: deadlines)).go() }
    }
}

/// One course of a group after which every other is tried.
private struct Walk {
    let count: Int
    var attempts: WriteAttempts
    var answered: [Int] = []
    /// The number of transactions, which is the time as well.
    var transactions: UInt64 = 0
    var hasFailedForAll = false

    func go() {
        var walk = self
        let now = NIODeadline.uptimeNanoseconds(transactions)
        switch walk.attempts.next(at: now) {
        case .done:
            #expect(answered.sorted() == Array(0..<count))
            #expect(transactions <= UInt64(count) + 1)
        case .refuse(let late):
            walk.answered += late
            walk.go()
        case .attempt(let writes):
            #expect(!hasFailedForAll && !writes.isEmpty)
            #expect(!writes.contains { walk.attempts.isLate($0, at: now) })
            walk.transactions += 1
            var committed = walk
            committed.attempts.committed()
            committed.answered += writes
            committed.go()
            for failure in [WriteAttempts.Failure.ofOne, .ofAll] {
                var failed = walk
                failed.answered += failed.attempts.failed(failure)
                failed.hasFailedForAll = failure == .ofAll
                failed.go()
            }
        }
    }
}
