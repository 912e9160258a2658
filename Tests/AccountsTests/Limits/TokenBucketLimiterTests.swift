// SPDX-License-Identifier: Apache-2.0

import Admission
import FuzzingSupport
import Testing

@testable import Accounts

/// How often something may happen to an account, and how much is remembered of it.
struct TokenBucketLimiterTests {
    private static func identity(_ number: Int) -> LimitedAccountOperation {
        signIn("\(number)")
    }

    private static func signIn(
        _ subject: String, of issuer: String = "https://issuer.example", at app: String = "shop",
        from network: [UInt8]? = nil
    ) -> LimitedAccountOperation {
        .signIn(IdentityKey(issuer: issuer, subject: subject), app: app, network: network)
    }

    /// A session whose identifier is a number.
    private static func session(_ number: Int) throws -> AccountSession.ID {
        let bytes = withUnsafeBytes(of: UInt64(number)) { Array($0) } + [UInt8](repeating: 0, count: 8)
        return try #require(AccountSession.ID(bytes: bytes))
    }

    /// A refresh of that session with the secret of a number.
    private static func refresh(_ number: Int, secret: UInt8 = 0) throws -> LimitedAccountOperation {
        .refresh(try session(number), secretHash: [UInt8](repeating: secret, count: 32))
    }

    /// An attempt of that session to change an account.
    private static func attempt(_ number: Int, of account: String = "ada") throws -> LimitedAccountOperation {
        .attempt(AuthenticatedSession(try session(number), of: try #require(AccountID(account))))
    }

    private static func account(_ text: String, isRecent: Bool = false) throws -> LimitedAccountOperation {
        .write(try #require(AccountID(text)), isRecent: isRecent)
    }

    /// A lookup of that session of an account.
    private static func lookup(_ number: Int, of account: String = "ada") throws -> LimitedAccountOperation {
        .lookup(AuthenticatedSession(try session(number), of: try #require(AccountID(account))))
    }

    /// One operation of each kind, its number a minute and how many come in ten seconds.
    static func kinds() throws -> [(operation: LimitedAccountOperation, perMinute: Int, inTenSeconds: Int)] {
        [
            (identity(1), 30, 5), (try account("ada"), 30, 5), (try account("ada", isRecent: true), 30, 5),
            (try refresh(1), 30, 5), (try attempt(1), 30, 5), (.newAccount, 600, 100),
            (.newAccountFrom(network: [192, 0, 2, 1]), 60, 10), (try lookup(1), 120, 20),
            (.lookups(of: try #require(AccountID("ada"))), 600, 100),
            (.use(of: try #require(AccountID("ada")), issuedAt: 1), 120, 20),
        ]
    }

    // MARK: Rates

    @Test func `as many may come at once as in a minute, and one more waits`() throws {
        for kind in try Self.kinds() {
            let limits = TokenBucketLimiter()
            #expect(limits.takeAll(kind.operation, now: 1000) == kind.perMinute)
            let wait: Int64 = kind.perMinute == 30 ? 2 : 1
            #expect(limits.take(kind.operation, now: 1000) == .wait(seconds: wait))
            // Who waits as long as was said may proceed, and what was refused was not counted.
            #expect(limits.take(kind.operation, now: 1000 + wait) == .proceed)
        }
    }

    @Test func `tokens come evenly, and never more than a minute's`() throws {
        for kind in try Self.kinds() {
            let limits = TokenBucketLimiter()
            #expect(limits.takeAll(kind.operation, now: 0) == kind.perMinute)
            #expect(limits.takeAll(kind.operation, now: 10) == kind.inTenSeconds)
            #expect(limits.takeAll(kind.operation, now: 10) == 0)
            #expect(limits.takeAll(kind.operation, now: 20) == kind.inTenSeconds)
            #expect(limits.takeAll(kind.operation, now: 80) == kind.perMinute)
            #expect(limits.takeAll(kind.operation, now: 100_000) == kind.perMinute)
        }
    }

    @Test func `each identity at an app, account, session and secret has its own limit; new accounts have one`() throws
    {
        let limits = TokenBucketLimiter()
        let operations = [
            Self.identity(1), Self.identity(2), try Self.account("ada"), try Self.account("ben"),
            // Who has just signed in is not held up by who has an old session.
            try Self.account("ada", isRecent: true), try Self.account("ben", isRecent: true),
            // Who knows a session has no part in the refreshes of who has its secret.
            try Self.refresh(1), try Self.refresh(2), try Self.refresh(1, secret: 1),
            // What a session tries is not what its account has written.
            try Self.attempt(1), try Self.attempt(2), try Self.attempt(1, of: "ben"),
            // Texts that are the same one behind the other.
            Self.signIn("b", of: "https://issuer.example/a"), Self.signIn("ab", of: "https://issuer.example/"),
            Self.signIn("bs", at: "hop"), Self.signIn("b", at: "shop"),
            // Texts that Unicode takes for the same.
            Self.signIn("\u{E9}"), Self.signIn("e\u{301}"),
            // One identity at several apps, and from several networks.
            Self.signIn("1", at: "desk"), Self.signIn("1", from: [192, 0, 2, 1]),
            Self.signIn("1", from: [192, 0, 2, 2]), Self.signIn("1", at: "desk", from: [192, 0, 2, 1]),
        ]
        for operation in operations { #expect(limits.takeAll(operation, now: 5) == 30) }
        let limited = [.signIns, .attempts, .writes, .recentWrites, .refreshes] as [RateLimit]
        #expect(limited.reduce(0) { $0 + limits.count($1) } == operations.count)
        #expect(limits.takeAll(.newAccount, now: 5) == 600)
        for operation in operations { #expect(limits.take(operation, now: 5) == .wait(seconds: 2)) }
    }

    @Test func `each session has a limit of its own on lookups, beside that of its account`() throws {
        let limits = TokenBucketLimiter()
        let lookups = [try Self.lookup(1), try Self.lookup(2), try Self.lookup(1, of: "ben")]
        for lookup in lookups { #expect(limits.takeAll(lookup, now: 5) == 120) }
        for account in [try #require(AccountID("ada")), try #require(AccountID("ben"))] {
            #expect(limits.takeAll(.lookups(of: account), now: 5) == 600)
        }
        for operation in [try Self.attempt(1), try Self.account("ada")] {
            #expect(limits.takeAll(operation, now: 5) == 30)
        }
    }

    @Test func `each address has a limit of its own on new accounts, beside that of all`() {
        let limits = TokenBucketLimiter()
        let addresses = [[192, 0, 2, 1], [192, 0, 2, 2], [UInt8](repeating: 1, count: 16)] as [[UInt8]]
        for address in addresses { #expect(limits.takeAll(.newAccountFrom(network: address), now: 5) == 60) }
        for address in addresses {
            #expect(limits.take(.newAccountFrom(network: address), now: 5) == .wait(seconds: 1))
        }
        #expect(limits.decide(.newAccount, now: 5) == .proceed)
    }

    @Test func `to ask is not to take`() throws {
        for kind in try Self.kinds() {
            let limits = TokenBucketLimiter()
            for _ in 0..<1000 { #expect(limits.decide(kind.operation, now: 7) == .proceed) }
            #expect(RateLimit.allCases.allSatisfy { limits.count($0) == 0 })
            #expect(limits.takeAll(kind.operation, now: 7) == kind.perMinute)
            let refusal = limits.take(kind.operation, now: 7)
            #expect(refusal != .proceed)
            #expect(limits.decide(kind.operation, now: 7) == refusal)
            #expect(limits.decide(kind.operation, now: 67) == .proceed)
        }
    }

    @Test func `no time traps`() throws {
        for kind in try Self.kinds() {
            let limits = TokenBucketLimiter()
            for now in [Int64.min, -1, 0, .max, .min, .max] {
                limits.take(kind.operation, now: now)
                _ = limits.decide(kind.operation, now: now)
            }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func `the same as buckets that are counted in tokens`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let limits = TokenBucketLimiter()
        let kinds = try Self.kinds()
        // The content of each bucket, in parts: a token is as many parts as the milliseconds in which it comes.
        var levels = [Int](repeating: 60_000, count: kinds.count)
        var now: Int64 = 0
        var refusals = 0
        for step in 0..<20_000 {
            let isPause = random.below(5000) == 0
            let passed = isPause ? random.below(90) : random.below(200) / 199
            now += Int64(passed)
            levels = levels.map { min(60_000, $0 + passed * 1000) }
            let index = random.below(kinds.count)
            let cost = 60_000 / kinds[index].perMinute
            let expected = levels[index] >= cost
            let decision = limits.take(kinds[index].operation, now: now)
            #expect((decision == .proceed) == expected, "step \(step)")
            refusals += expected ? 0 : 1
            if expected { levels[index] -= cost }
        }
        #expect((1000..<19_000).contains(refusals))
    }

    // MARK: Memory

    @Test func `new accounts are not forgotten for what others do`() throws {
        let limits = TokenBucketLimiter()
        #expect(limits.takeAll(.newAccount, now: 0) == 600)
        for number in 0..<100 { limits.take(Self.identity(number), now: 0) }
        #expect(limits.take(.newAccount, now: 0) == .wait(seconds: 1))
    }

    // MARK: The limiter

    @Test func `many at once get no more than the limit`() async throws {
        let limiter = TokenBucketLimiter()
        let operation = try Self.account("ada")
        let count = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 { group.addTask { limiter.take(operation, now: 3) == .proceed } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(count == 30)
        #expect(limiter.decide(operation, now: 3) == .wait(seconds: 2))
        #expect(limiter.decide(operation, now: 5) == .proceed)
    }
}

extension TokenBucketLimiter {
    /// The number of times that an operation may proceed in a row.
    fileprivate func takeAll(_ operation: LimitedAccountOperation, now: Int64) -> Int {
        var count = 0
        while take(operation, now: now) == .proceed { count += 1 }
        return count
    }
}
