// SPDX-License-Identifier: Apache-2.0

import Accounts
import NIOCore

// What a transaction is, alone and beside others, and what may be used once.
extension AccountStoreConformance {
    /// The number of transactions that are begun at once.
    private static let parallel = 50

    @Sendable static func errorsLeaveNothing(_ examination: inout AccountExamination) async throws {
        let (ada, bob, eve) = (account("ada"), account("bob"), account("eve"))
        try await examination.add(ada, sessions: [session(1, of: ada)])
        try await examination.add(bob, sessions: [session(2, of: bob)])
        let before = try await examination.contents()
        for (number, hasIdentity) in [true, false].enumerated() {
            let expected = AccountExamination.BodyError(number: number)
            let error = await examination.error { transaction in
                try transaction.insert(eve)
                if hasIdentity { try transaction.insert(identity("eve", of: eve)) }
                var changed = ada
                changed.displayName = "Ada"
                try transaction.update(changed)
                try transaction.remove(bob.id)
                try transaction.trimSessions(of: ada.id, to: 0)
                try transaction.insert(session(3, of: ada))
                _ = try transaction.consume(hash(1), expiry: start + 60)
                throw expected
            }
            examination.check(
                error as? AccountExamination.BodyError == expected,
                "The error of a body comes back unchanged, not as: \(error.map { "\($0)" } ?? "success")")
            examination.check(try await examination.contents() == before, "A body that throws leaves nothing.")
            examination.check(await examination.isUsed(hash(1)) == false, "A body that throws uses nothing up.")
        }
        let seen = try await examination.transact { transaction in
            try transaction.remove(bob.id)
            try insert(eve, sessions: [session(4, of: eve)], in: transaction)
            let identities = try transaction.identities(of: eve.id)
            let sessions = try transaction.sessions(of: eve.id)
            return [try transaction.accounts(after: nil, limit: 9).count, identities.count, sessions.count]
        }
        examination.check(
            seen == [2, 1, 1], "A transaction sees what it has written, and gives what its body returns.")
    }

    @Sendable static func readingWritesNothing(_ examination: inout AccountExamination) async throws {
        let (ada, bob) = (account("ada"), account("bob"))
        let (google, apple) = (identity("ada", of: ada), identity("ada", of: ada, provider: "apple.com"))
        let known = session(1, of: ada)
        try await examination.add(ada, [google], sessions: [known])
        let writes: [(what: String, write: AccountExamination.Write)] = [
            ("an account is inserted", { try insert(bob, in: $0) }),
            ("an account is updated", { try $0.update(ada) }),
            ("an account is removed", { try $0.remove(ada.id) }),
            ("an identity is inserted", { try $0.insert(apple) }),
            ("an identity is updated", { try $0.update(google) }),
            ("an identity is removed", { try $0.remove(google.key) }),
            ("a session is inserted", { try $0.insert(session(2, of: ada)) }),
            ("a session is updated", { try $0.update(known) }),
            ("sessions are removed", { try $0.removeSessions(of: ada.id, begunWith: nil, except: nil) }),
            ("sessions are trimmed", { try $0.trimSessions(of: ada.id, to: 0) }),
            (
                "a provider gets a new ID",
                { try $0.renameProvider("google.com", to: "oidc.google", inSessionsOf: ada.id) }
            ),
            ("something is used up", { _ = try $0.consume(hash(1), expiry: start) }),
        ]
        for (what, write) in writes {
            try await examination.checkConflict("That \(what) in a transaction for reading", in: .read, write)
        }
        examination.check(
            await examination.isUsed(hash(1)) == false, "A transaction for reading uses nothing up.")
        examination.check(
            try await examination.session(known.id)?.isExactly(known) == true,
            "A transaction for reading sees what was committed before.")
    }

    @Sendable static func answersOnTheLoop(_ examination: inout AccountExamination) async throws {
        let (store, eventLoop) = (examination.store, examination.eventLoop)
        for mode in [AccountTransactionMode.read, .write] {
            let success = store.transact(mode, on: eventLoop) { _ in true }
            let failure = store.transact(mode, on: eventLoop) { _ -> Bool in
                throw AccountExamination.BodyError(number: 0)
            }
            examination.check(
                success.eventLoop === eventLoop && failure.eventLoop === eventLoop,
                "The future of a transaction is on the loop that was given.")
            examination.check(
                try await success.map { _ in eventLoop.inEventLoop }.get(),
                "The result of a transaction comes on the loop that was given.")
            examination.check(
                try await failure.recover { _ in eventLoop.inEventLoop }.get(),
                "The error of a transaction comes on the loop that was given.")
        }
        let sweep = store.sweep(before: start, limit: 1, on: eventLoop)
        examination.check(sweep.eventLoop === eventLoop, "The future of sweeping is on the loop that was given.")
        examination.check(
            try await sweep.map { _ in eventLoop.inEventLoop }.get(),
            "The result of sweeping comes on the loop that was given.")
    }
}

// MARK: What is used once, and what has expired

extension AccountStoreConformance {
    @Sendable static func usesOnce(_ examination: inout AccountExamination) async throws {
        let first = try await examination.transact { transaction in
            let isNew = try transaction.consume(hash(1), expiry: start + 60)
            let isNewAgain = try transaction.consume(hash(1), expiry: start + 60)
            let others = [
                try transaction.consume(hash(2), expiry: .max), try transaction.consume(hash(3), expiry: .min),
            ]
            return [isNew, isNewAgain] + others
        }
        examination.check(first == [true, false, true, true], "What is used once in a transaction is new once.")
        for number in 1...3 {
            for expiry in [start + 60, start + 9000] {
                examination.check(
                    try await examination.transact { try $0.consume(hash(number), expiry: expiry) } == false,
                    "What was used up is not new again until it was swept.")
            }
        }
        examination.check(await examination.isUsed(hash(4)) == false, "What was not used up is new.")
        examination.check(await examination.isUsed(hash(4)) == false, "A body that throws uses nothing up.")
        examination.check(
            try await examination.sweep(before: start + 60, limit: 9) == 2,
            "Sweeping returns the number of what had expired.")
        examination.check(await examination.isUsed(hash(2)), "What has not expired stays used up.")
        for number in [1, 3] {
            examination.check(
                try await examination.transact { try $0.consume(hash(number), expiry: start + 60) },
                "What was swept is new; that it was offered again did not prolong it.")
        }
    }

    @Sendable static func sweeps(_ examination: inout AccountExamination) async throws {
        let ada = account("ada")
        let expiries: [Int64] = [.min, start - 1, start, start + 1, .max]
        let sessions = expiries.enumerated().map { session($0, of: ada, expiry: $1) }
        try await examination.add(ada, sessions: sessions)
        try await examination.transact { transaction in
            for (number, expiry) in expiries.enumerated() { _ = try transaction.consume(hash(number), expiry: expiry) }
        }
        examination.check(
            try await examination.sweep(before: start, limit: 0) == 0, "Sweeping with the limit 0 removes nothing.")
        examination.check(
            try await remaining(expiries.indices, examination) == 10, "Sweeping with the limit 0 leaves everything.")
        examination.check(
            try await examination.sweep(before: start, limit: 1000) == 6,
            "Sweeping returns the number of sessions and entries that had expired.")
        for (number, known) in sessions.enumerated() {
            let isLive = known.expiry > start
            examination.check(
                try await (examination.session(known.id)?.isExactly(known) == true) == isLive,
                "Sweeping removes the sessions that have ended, and no other ones.")
            examination.check(
                await examination.isUsed(hash(number)) == isLive,
                "Sweeping removes what has expired of what was used up, and nothing else.")
        }
        examination.check(try await examination.account(ada.id) == ada, "Sweeping leaves accounts alone.")
        examination.check(
            try await examination.sweep(before: start, limit: 1000) == 0, "After sweeping there is nothing to sweep.")
    }

    @Sendable static func sweepsWithinItsLimit(_ examination: inout AccountExamination) async throws {
        let ada = account("ada")
        let numbers = 0..<3
        try await examination.add(ada, sessions: numbers.map { session($0, of: ada, expiry: start) })
        try await examination.transact { transaction in
            for number in numbers { _ = try transaction.consume(hash(number), expiry: start) }
        }
        var left = 6
        // At most as many rounds as there are records.
        for _ in 0..<6 where left > 0 {
            let count = try await examination.sweep(before: start, limit: 4)
            let found = try await remaining(numbers, examination)
            examination.check(
                left - found <= 4, "Sweeping removes no more sessions and entries together than its limit.")
            examination.check(count == left - found, "Sweeping returns the number of what it removed.")
            examination.check(count > 0, "Sweeping removes something as long as something has expired.")
            left = found
        }
        examination.check(left == 0, "Sweeping again and again removes everything that has expired.")
    }

    /// The number of sessions and of entries among those with some numbers that are there.
    private static func remaining(_ numbers: Range<Int>, _ examination: AccountExamination) async throws -> Int {
        var count = 0
        for number in numbers {
            if try await examination.session(sessionID(number)) != nil { count += 1 }
            if await examination.isUsed(hash(number)) { count += 1 }
        }
        return count
    }
}

// MARK: In parallel

extension AccountStoreConformance {
    @Sendable static func insertsOnceInParallel(_ examination: inout AccountExamination) async throws {
        let copy = examination
        let outcomes: [AccountExamination.Outcome] = try await inParallel { number in
            let owner = account("account-\(number)")
            return await copy.outcome { try insert(owner, [identity("ada", of: owner)], in: $0) }
        }
        let (committed, refused) = (
            outcomes.count(where: { $0 == .committed }), outcomes.count(where: { $0 == .conflict })
        )
        examination.check(
            committed == 1 && refused == parallel - 1,
            "Of \(parallel) insertions of one identity at once one succeeds, and the others are conflicts, but "
                + "\(committed) succeeded, and \(refused) were conflicts.")
        let contents = try await examination.contents()
        examination.check(
            contents.accounts.count == 1 && contents.identities.count == 1,
            "Of \(parallel) insertions of one identity at once one account is left.")
    }

    @Sendable static func createsOnceInParallel(_ examination: inout AccountExamination) async throws {
        let copy = examination
        let owners: [AccountID] = try await inParallel { number in
            let newcomer = account("account-\(number)")
            let linked = identity("ada", of: newcomer)
            return try await copy.transact { transaction in
                if let known = try transaction.identity(linked.key) { return known.account }
                try insert(newcomer, [linked], in: transaction)
                return newcomer.id
            }
        }
        examination.check(
            Set(owners).count == 1, "Of \(parallel) transactions at once that look for an identity one finds none.")
        examination.check(
            try await examination.contents().accounts.map(\.id) == Array(owners.prefix(1)),
            "Of \(parallel) transactions at once that look for an identity one makes the account of all.")
    }

    @Sendable static func updatesInParallel(_ examination: inout AccountExamination) async throws {
        var ada = account("ada")
        ada.lastSignInAt = 0
        let id = ada.id
        try await examination.add(ada)
        let copy = examination
        let outcomes: [AccountExamination.Outcome] = try await inParallel { _ in
            await copy.outcome { transaction in
                guard var known = try transaction.account(id) else { return }
                known.lastSignInAt += 1
                try transaction.update(known)
            }
        }
        let sum = try await examination.account(id)?.lastSignInAt
        examination.check(
            outcomes.allSatisfy { $0 == .committed } && sum == Int64(parallel),
            "Of \(parallel) transactions at once that add 1 to a number none is lost; the sum is \(sum ?? -1).")
    }

    @Sendable static func usesOnceInParallel(_ examination: inout AccountExamination) async throws {
        let copy = examination
        let answers: [Bool] = try await inParallel { _ in
            try await copy.transact { try $0.consume(hash(1), expiry: start + 60) }
        }
        let successes = answers.count(where: { $0 })
        examination.check(
            successes == 1, "Of \(parallel) uses of one hash at once exactly one succeeds, not \(successes).")
    }

    /// Runs an attempt many times concurrently.
    private static func inParallel<Value: Sendable>(
        _ attempt: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: Value.self) { group in
            for number in 0..<parallel { group.addTask { try await attempt(number) } }
            var values: [Value] = []
            for try await value in group { values.append(value) }
            return values
        }
    }
}
