// SPDX-License-Identifier: Apache-2.0

public import NIOCore
public import OIDCBroker

/// The requirements of every `SingleUseStore`, as checks that any test framework can run.
///
///     let failures = try await SingleUseStoreConformance.failures({ MyStore() }, on: eventLoop)
///     #expect(failures.isEmpty)
///
/// The store receives the time as a number, so nothing waits. The capacity of a store is not checked, only that it
/// never drops a valid entry for a new one.
public enum SingleUseStoreConformance {
    /// Runs all checks.
    ///
    /// - Parameters:
    ///   - make: A closure that creates an empty store for each check, which must hold at least 2,000 entries.
    ///   - eventLoop: The event loop on which the store is called.
    /// - Returns: A sentence for each requirement that the store does not meet; empty if it meets all.
    /// - Throws: The first error of the store itself.
    public static func failures(
        _ make: () -> any SingleUseStore,
        on eventLoop: any EventLoop
    ) async throws -> [String] {
        let checks: [@Sendable (inout Examination) async throws -> Void] = [
            insertsOnce, takesOnce, reads, tellsWhatIsThere, keepsValues, tellsKeysApart, expires, keepsWhatIsAlive,
            insertsOnceInParallel, takesOnceInParallel, answersOnTheLoop, insertsForAnOwner,
        ]
        var failures: [String] = []
        for check in checks {
            var examination = Examination(store: make(), eventLoop: eventLoop)
            try await check(&examination)
            failures += examination.failures
        }
        return failures
    }

    /// The start time of all checks, in seconds since 1970.
    private static let start: Int64 = 1_800_000_000
    private static let parallel = 64

    @Sendable private static func insertsOnce(_ examination: inout Examination) async throws {
        let key = Examination.key(1)
        examination.check(
            try await examination.insert(key, [1], expiry: start + 600, now: start) == .inserted,
            "An absent key is inserted.")
        examination.check(
            try await examination.insert(key, [2], expiry: start + 600, now: start) == .present,
            "A key that is there is not inserted again.")
        examination.check(
            try await examination.insert(key, [3], expiry: start + 9000, now: start + 599) == .present,
            "A key that is there until its expiry is not inserted again in the last second before.")
        examination.check(
            try await examination.take(key, now: start + 599) == [1],
            "An insertion that found the key changes neither its value nor its expiry.")
    }

    @Sendable private static func takesOnce(_ examination: inout Examination) async throws {
        let key = Examination.key(2)
        examination.check(try await examination.take(key, now: start) == nil, "An absent key gives nothing.")
        _ = try await examination.insert(key, [7, 8], expiry: start + 60, now: start)
        examination.check(try await examination.take(key, now: start + 1) == [7, 8], "A key gives its value.")
        examination.check(try await examination.take(key, now: start + 1) == nil, "A key gives its value only once.")
    }

    @Sendable private static func reads(_ examination: inout Examination) async throws {
        let (key, mark) = (Examination.key(13), Examination.key(14))
        examination.check(try await examination.read(key, now: start) == nil, "An absent key has no value to read.")
        _ = try await examination.insert(key, [4, 2], expiry: start + 60, now: start)
        _ = try await examination.insert(mark, [], expiry: start + 60, now: start)
        for _ in 0..<2 {
            examination.check(
                try await examination.read(key, now: start + 59) == [4, 2], "Reading a value leaves it there.")
        }
        examination.check(try await examination.read(mark, now: start + 59) == [], "An empty value can be read.")
        examination.check(
            try await examination.read(key, now: start + 60) == nil, "A key cannot be read from its expiry on.")
        _ = try await examination.take(key, now: start + 1)
        examination.check(
            try await examination.read(key, now: start + 1) == nil, "A key that was taken cannot be read.")
    }

    @Sendable private static func tellsWhatIsThere(_ examination: inout Examination) async throws {
        let key = Examination.key(12)
        examination.check(
            try await examination.contains(key, now: start) == false, "A store does not contain an absent key.")
        _ = try await examination.insert(key, [5], expiry: start + 60, now: start)
        examination.check(
            try await examination.contains(key, now: start + 59), "A store contains a key until its expiry.")
        examination.check(
            try await examination.contains(key, now: start + 60) == false,
            "A store does not contain a key from its expiry on.")
        examination.check(
            try await examination.take(key, now: start + 59) == [5], "Asking whether a key is there takes nothing.")
        examination.check(
            try await examination.contains(key, now: start + 59) == false,
            "A store does not contain a key that was taken.")
    }

    @Sendable private static func keepsValues(_ examination: inout Examination) async throws {
        let values: [[UInt8]] = [[], Array(0...255), Array(repeating: 0, count: 16 * 1024)]
        for (number, value) in values.enumerated() {
            let key = Examination.key(100 + number)
            _ = try await examination.insert(key, value, expiry: start + 60, now: start)
            examination.check(
                try await examination.take(key, now: start) == value,
                "A value of \(value.count) bytes comes back as it was.")
        }
    }

    @Sendable private static func tellsKeysApart(_ examination: inout Examination) async throws {
        let first = Examination.key(3)
        let second = Examination.key(4)
        _ = try await examination.insert(first, [1], expiry: start + 60, now: start)
        examination.check(
            try await examination.insert(second, [2], expiry: start + 60, now: start) == .inserted,
            "A key that differs in its last byte is another key.")
        examination.check(
            try await examination.take(second, now: start) == [2], "Each key has a value of its own.")
        examination.check(
            try await examination.take(first, now: start) == [1], "Taking one key leaves the others there.")
    }

    @Sendable private static func expires(_ examination: inout Examination) async throws {
        let taken = Examination.key(5)
        let insertedAgain = Examination.key(6)
        let live = Examination.key(7)
        for key in [taken, insertedAgain] {
            _ = try await examination.insert(key, [1], expiry: start + 60, now: start)
        }
        _ = try await examination.insert(live, [3], expiry: start + 600, now: start)
        examination.check(
            try await examination.take(taken, now: start + 60) == nil, "A key gives nothing from its expiry on.")
        examination.check(
            try await examination.insert(insertedAgain, [2], expiry: start + 600, now: start + 60) == .inserted,
            "A key whose entry has expired is inserted.")
        examination.check(
            try await examination.take(insertedAgain, now: start + 61) == [2],
            "A key that was inserted again after its expiry gives the new value.")
        examination.check(
            try await examination.take(live, now: start + 599) == [3], "A key that has not expired gives its value.")
    }

    @Sendable private static func keepsWhatIsAlive(_ examination: inout Examination) async throws {
        let early = Examination.key(8)
        _ = try await examination.insert(early, [9], expiry: start + 600, now: start)
        // Time passes while other entries are added: a store that drops whole generations must not drop this entry
        // early.
        for number in 0..<1000 {
            let now = start + Int64(number) * 599 / 1000
            _ = try await examination.insert(Examination.key(1000 + number), [0], expiry: now + 600, now: now)
        }
        examination.check(
            try await examination.insert(early, [0], expiry: start + 1200, now: start + 599) == .present,
            "A live key stays there while a thousand others are inserted.")
        examination.check(
            try await examination.take(early, now: start + 599) == [9],
            "A live key keeps its value while a thousand others are inserted.")
    }

    @Sendable private static func insertsOnceInParallel(_ examination: inout Examination) async throws {
        let key = Examination.key(9)
        let (store, eventLoop) = (examination.store, examination.eventLoop)
        let insertions = try await inParallel {
            try await store.insertIfAbsent(key, value: [1], expiry: start + 60, now: start, on: eventLoop).get()
                == .inserted
        }
        examination.check(
            insertions == 1, "Of \(parallel) insertions of one key at once exactly one succeeds, not \(insertions).")
    }

    @Sendable private static func takesOnceInParallel(_ examination: inout Examination) async throws {
        let key = Examination.key(10)
        _ = try await examination.insert(key, [1], expiry: start + 60, now: start)
        let (store, eventLoop) = (examination.store, examination.eventLoop)
        let taken = try await inParallel {
            try await store.take(key, now: start, on: eventLoop).get() != nil
        }
        examination.check(
            taken == 1, "Of \(parallel) takes of one key at once exactly one gets the value, not \(taken).")
    }

    @Sendable private static func answersOnTheLoop(_ examination: inout Examination) async throws {
        let key = Examination.key(11)
        let eventLoop = examination.eventLoop
        let insertion = examination.store.insertIfAbsent(
            key, value: [1], expiry: start + 60, now: start, on: eventLoop)
        examination.check(
            insertion.eventLoop === eventLoop, "The response to an insertion is on the loop that was given.")
        _ = try await insertion.get()
        let take = examination.store.take(key, now: start, on: eventLoop)
        examination.check(take.eventLoop === eventLoop, "The response to a take is on the loop that was given.")
        _ = try await take.get()
        let question = examination.store.contains(key, now: start, on: eventLoop)
        examination.check(
            question.eventLoop === eventLoop, "The response to whether a key is there is on the loop that was given.")
        _ = try await question.get()
    }

    @Sendable private static func insertsForAnOwner(_ examination: inout Examination) async throws {
        let key = Examination.key(13)
        let owner = SingleUseOwner(person: Examination.key(14), provider: Examination.key(15))
        let (store, eventLoop) = (examination.store, examination.eventLoop)
        func insert(_ value: UInt8) async throws -> SingleUseInsertion {
            try await store.insertIfAbsent(
                key, value: [value], owner: owner, expiry: start + 60, now: start, on: eventLoop
            ).get()
        }
        examination.check(
            try await insert(1) == .inserted, "An absent key is inserted for an owner.")
        examination.check(
            try await insert(2) == .present, "A key that is there is not inserted again for its owner.")
        examination.check(
            try await examination.take(key, now: start) == [1], "What was inserted for an owner is found by its key.")
    }

    /// Runs an attempt many times concurrently.
    ///
    /// - Returns: The number of attempts that succeeded.
    private static func inParallel(_ attempt: @escaping @Sendable () async throws -> Bool) async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<parallel { group.addTask(operation: attempt) }
            var successes = 0
            for try await succeeded in group where succeeded { successes += 1 }
            return successes
        }
    }
}
