// SPDX-License-Identifier: Apache-2.0

public import Accounts
public import NIOCore

/// The requirements of every `AccountStore`, as checks that any test framework can run.
///
///     let failures = try await AccountStoreConformance.failures({ try MyStore() }, on: eventLoop)
///     #expect(failures.isEmpty)
///
/// The store receives the time as a number, so nothing waits. Up to 50 transactions are begun at once.
public enum AccountStoreConformance {
    /// Runs all checks.
    ///
    /// - Parameters:
    ///   - make: A closure that creates an empty store for each check.
    ///   - eventLoop: The event loop on which the store is called.
    /// - Returns: A sentence for each requirement that the store does not meet; empty if it meets all.
    /// - Throws: What the closure throws, or an `AccountStoreError` of the code `unavailable`. Any other error that no
    ///   check expects is a requirement that the store does not meet.
    public static func failures(
        _ make: () throws -> any AccountStore, on eventLoop: any EventLoop
    ) async throws -> [String] {
        let checks: [(name: String, check: @Sendable (inout AccountExamination) async throws -> Void)] = [
            ("records", recordsComeBack), ("flags", flagsComeBack), ("texts", textsComeBack),
            ("identity keys", tellsIdentitiesApart), ("addresses", tellsAddressesApart),
            ("owners of addresses", findsOwners), ("an empty store", findsNothing), ("pages", pagesAreInOrder),
            ("linking", identitiesAreInOrder), ("accounts that may be in the way", insertsWhatIsFree),
            ("claims of identities", keepsClaims), ("conflicts of identities", identitiesConflict),
            ("conflicts of accounts", accountsConflict),
            ("conflicts of sessions", sessionsConflict), ("the last identity", accountsMayHaveNoIdentity),
            ("provider IDs", tellsProvidersApart), ("removal", removes), ("the order of sessions", sessionsAreInOrder),
            ("the removal of sessions", removesSessions), ("sessions of apps", keepsAppSessions),
            ("the sessions of a session of a provider", findsSessionsOfProvider),
            ("a new ID of a provider", renamesProviders),
            ("bodies that throw", errorsLeaveNothing), ("transactions that read", readingWritesNothing),
            ("event loops", answersOnTheLoop), ("what is used once", usesOnce), ("sweeping", sweeps),
            ("the limit of sweeping", sweepsWithinItsLimit), ("parallel insertions", insertsOnceInParallel),
            ("parallel sign-ins", createsOnceInParallel), ("parallel updates", updatesInParallel),
            ("parallel uses", usesOnceInParallel), ("the order of events", eventsAreInOrder),
            ("claims of events", claimsEvents), ("events that are given up", givesEventsUp),
            ("the room of events", countsAndSweepsEvents), ("parallel claims", claimsOnceInParallel),
        ]
        var failures: [String] = []
        for (name, check) in checks {
            var examination = AccountExamination(store: try make(), eventLoop: eventLoop)
            do {
                try await check(&examination)
            } catch let error as AccountStoreError where error.code == .unavailable {
                throw error
            } catch {
                examination.check(false, "The check of \(name) reaches its end, but there was an error: \(error)")
            }
            failures += examination.failures
        }
        return failures
    }

    // MARK: Samples

    /// The start time of all checks, in seconds since 1970.
    static let start: Int64 = 1_800_000_000

    /// Returns an account. If it has an address, it owns it.
    static func account(_ name: String, email: String? = nil) -> Account {
        var account = Account(id: AccountID(name) ?? AccountID(), createdAt: start)
        account.email = email.flatMap { EmailAddress($0) }
        account.ownsEmail = email != nil
        return account
    }

    static func identity(
        _ subject: String, of account: Account, provider: String = "google.com", at time: Int64 = start
    ) -> AccountIdentity {
        let key = IdentityKey(issuer: "https://\(provider)", subject: subject)
        return AccountIdentity(VerifiedIdentity(key, providerID: provider), of: account.id, at: time)
    }

    static func session(
        _ number: Int, of account: Account, provider: String = "google.com", app: String? = "web",
        at time: Int64 = start, expiry: Int64 = start + 86_400, providerSession: [UInt8]? = nil
    ) -> AccountSession {
        AccountSession(
            id: sessionID(number), secretHash: hash(number), account: account.id, providerID: provider, app: app,
            authTime: time, createdAt: time, expiry: expiry, providerSession: providerSession)
    }

    /// Returns an identifier for a number, whose first byte is given.
    static func sessionID(_ number: Int, first: UInt8 = 0) -> AccountSession.ID {
        let bytes = [first, UInt8(truncatingIfNeeded: number)] + [UInt8](repeating: 0, count: 14)
        return AccountSession.ID(bytes: bytes) ?? AccountSession.ID()
    }

    /// Returns a hash for a number. The first byte is zero; the hashes of two numbers differ only in their last byte.
    static func hash(_ number: Int) -> [UInt8] {
        [0, 0xFF] + [UInt8](repeating: 0x5A, count: 29) + [UInt8(truncatingIfNeeded: number)]
    }

    /// Inserts an account with its identities, or with one if none is given, and its sessions.
    static func insert(
        _ account: Account, _ identities: [AccountIdentity] = [], sessions: [AccountSession] = [],
        in transaction: any AccountTransaction
    ) throws {
        try transaction.insert(account)
        let linked = identities.isEmpty ? [identity(account.id.text, of: account)] : identities
        for identity in linked { try transaction.insert(identity) }
        for session in sessions { try transaction.insert(session) }
    }
}

// MARK: Records

extension AccountStoreConformance {
    /// Texts that a store could cut or change.
    private static let texts = [
        "O'Brien \"x\" `y` \\ % _ ? ; -- /* $1 ?1 :a {}", "\u{410}\u{434}\u{430} \u{41B}.", "\u{611B}",
        "\u{623}\u{62F}\u{627}", "\u{1F469}\u{200D}\u{1F467}\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}",
        "\u{E9}", "e\u{301}", "\u{212B}", " a  b ", "\u{FEFF}a\u{200B}", "007", "1e3", "0x10", "NULL", "true",
        "\u{FFFD}\u{FFFF}\u{10FFFF}", String(repeating: "\u{1F600}", count: AccountLimits.displayNameScalars),
    ]

    @Sendable static func recordsComeBack(_ examination: inout AccountExamination) async throws {
        for (number, app) in [nil, "web", ""].enumerated() {
            var records = AccountRecords(number, app: app)
            try await examination.add(records.account, [records.identity], sessions: [records.session])
            try await examination.checkComesBack(records, "without any optional field")
            records.fill()
            try await update(records, examination)
            try await examination.checkComesBack(records, "with every field filled")
            records.empty()
            try await update(records, examination)
            try await examination.checkComesBack(records, "with every optional field emptied")
            var filled = AccountRecords(10 + number, app: app)
            filled.fill()
            try await examination.add(filled.account, [filled.identity], sessions: [filled.session])
            try await examination.checkComesBack(filled, "with every optional field")
        }
        for (number, time) in [Int64.min, -1, 0, Int64.max].enumerated() {
            var records = AccountRecords(20 + number, time: time)
            records.setTimes(to: time)
            try await examination.add(records.account, [records.identity], sessions: [records.session])
            try await examination.checkComesBack(records, "whose times are all \(time)")
        }
    }

    private static func update(_ records: AccountRecords, _ examination: AccountExamination) async throws {
        try await examination.transact { transaction in
            try transaction.update(records.account)
            try transaction.update(records.identity)
            try transaction.update(records.session)
        }
    }

    @Sendable static func flagsComeBack(_ examination: inout AccountExamination) async throws {
        let flags: [WritableKeyPath<Account, Bool>] = [\.ownsEmail, \.isEmailVerified, \.isDisabled, \.isFoundByEmail]
        for (number, flag) in flags.enumerated() {
            var records = AccountRecords(number)
            records.account.email = EmailAddress("ada-\(number)@example.com")
            records.account[keyPath: flag].toggle()
            try await examination.add(records.account, [records.identity], sessions: [records.session])
            try await examination.checkComesBack(records, "with one flag changed")
        }
        for (number, isProved) in [true, false].enumerated() {
            var records = AccountRecords(10 + number)
            records.identity = AccountIdentity(
                VerifiedIdentity(
                    records.identity.key, providerID: "google.com", email: EmailAddress("ada@example.com"),
                    isEmailProved: isProved, isPrivateRelay: !isProved),
                of: records.account.id, at: start)
            try await examination.add(records.account, [records.identity], sessions: [records.session])
            try await examination.checkComesBack(records, "of whose identity one flag differs")
        }
    }

    @Sendable static func textsComeBack(_ examination: inout AccountExamination) async throws {
        for (number, text) in texts.enumerated() {
            var records = AccountRecords(number, app: text)
            records.account.displayName = text
            records.account.email = EmailAddress("\(number)%_O'Brien.\u{C9}e\u{301}@EXAMPLE.com")
            records.account.ownsEmail = true
            records.identity = AccountIdentity(
                VerifiedIdentity(IdentityKey(issuer: text, subject: text), providerID: text, displayName: text),
                of: records.account.id, at: start)
            records.session.renameProvider(to: text)
            try await examination.add(records.account, [records.identity], sessions: [records.session])
            try await examination.checkComesBack(records, "with the text \(text.debugDescription)")
        }
    }

    @Sendable static func tellsIdentitiesApart(_ examination: inout AccountExamination) async throws {
        let pairs = [
            ("in how a character is composed", "\u{E9}", "e\u{301}"), ("in the case of a letter", "ada", "Ada"),
            ("in what is behind a NUL", "a\u{0}b", "a\u{0}c"), ("in a NUL and what is behind it", "b", "b\u{0}b"),
            ("in a space at the end", "c", "c "), ("in how a number is written", "10", "1e1"),
        ]
        for (number, (difference, first, second)) in pairs.enumerated() {
            try await tellApart(
                &examination, "Issuers that differ \(difference)",
                [first, second].map { IdentityKey(issuer: $0, subject: "s-\(number)") }, names: "issuer-\(number)")
            try await tellApart(
                &examination, "Subjects that differ \(difference)",
                [first, second].map { IdentityKey(issuer: "i-\(number)", subject: $0) }, names: "subject-\(number)")
        }
        try await tellApart(
            &examination, "Keys that differ in where the issuer ends",
            [
                IdentityKey(issuer: "ab", subject: "c"), IdentityKey(issuer: "a", subject: "bc"),
                IdentityKey(issuer: "a\u{0}", subject: "bc"), IdentityKey(issuer: "a", subject: "\u{0}bc"),
            ], names: "end")
    }

    private static func tellApart(
        _ examination: inout AccountExamination, _ what: String, _ keys: [IdentityKey], names: String
    ) async throws {
        for (number, key) in keys.enumerated() {
            let owner = account("\(names)-\(number)")
            let known = AccountIdentity(VerifiedIdentity(key, providerID: "google.com"), of: owner.id, at: start)
            examination.check(
                try await examination.identity(key) == nil, "\(what) are not found in place of each other.")
            let outcome = await examination.outcome { try insert(owner, [known], in: $0) }
            examination.check(outcome == .committed, "\(what) are two keys, but \(outcome).")
            let found = try await examination.identity(key)
            examination.check(found?.isExactly(known) == true, "\(what) come back byte for byte.")
        }
    }

    @Sendable static func tellsAddressesApart(_ examination: inout AccountExamination) async throws {
        let pairs = [
            ("in how a character is composed", "1\u{E9}@example.com", "1e\u{301}@example.com"),
            ("in the case of a letter that is not of ASCII", "2\u{C9}@example.com", "2\u{E9}@example.com"),
            ("in an underscore", "3a_b@example.com", "3axb@example.com"),
            ("in a percent sign", "4a%@example.com", "4ab@example.com"),
        ]
        for (number, (difference, first, second)) in pairs.enumerated() {
            for (name, text) in [("first-\(number)", first), ("second-\(number)", second)] {
                guard let email = EmailAddress(text) else { continue }
                examination.check(
                    try await examination.account(owning: email) == nil,
                    "Addresses that differ \(difference) are not found in place of each other.")
                let owner = account(name, email: text)
                let outcome = await examination.outcome { try insert(owner, in: $0) }
                examination.check(
                    outcome == .committed, "Addresses that differ \(difference) may have two owners, but \(outcome).")
                examination.check(
                    try await examination.account(owning: email)?.isExactly(owner) == true,
                    "Addresses that differ \(difference) find their own owner.")
            }
        }
    }
}

// MARK: Claims

extension AccountStoreConformance {
    @Sendable static func keepsClaims(_ examination: inout AccountExamination) async throws {
        let ada = account("ada")
        let (first, second) = (identity("ada", of: ada), identity("ada", of: ada, provider: "apple.com"))
        func claims(of identity: AccountIdentity) async throws -> String? {
            try await examination.transact { try $0.claims(of: identity.key) }
        }
        try await examination.checkConflict("Keeping claims with an unknown identity") {
            try $0.setClaims("{}", of: first.key)
        }
        try await examination.add(ada, [first, second])
        examination.check(try await claims(of: first) == nil, "An identity begins without claims.")
        let long = #"{"groups":["\u0000é"# + String(repeating: "g", count: 32_000) + #""]}"#
        for text in [#"{"groups":["a"]}"#, long] {
            try await examination.transact { try $0.setClaims(text, of: first.key) }
            examination.check(try await claims(of: first) == text, "The claims of an identity are replaced.")
        }
        examination.check(try await claims(of: second) == nil, "Another identity has its own claims.")
        var used = first
        used.lastUsedAt += 1
        let updated = used
        try await examination.transact { try $0.update(updated) }
        examination.check(try await claims(of: first) == long, "An update of an identity leaves its claims.")
        try await examination.transact { try $0.setClaims(nil, of: first.key) }
        examination.check(try await claims(of: first) == nil, "The claims of an identity are replaced by none.")
        let removals: [(what: String, write: AccountExamination.Write)] = [
            ("an identity", { try $0.remove(first.key) }), ("an account", { try $0.remove(ada.id) }),
        ]
        for (what, remove) in removals {
            try await examination.transact { try $0.setClaims(long, of: first.key) }
            try await examination.transact { try remove($0) }
            examination.check(try await claims(of: first) == nil, "The claims go with \(what).")
            try await examination.transact { transaction in
                if what == "an account" { try transaction.insert(ada) }
                try transaction.insert(first)
            }
            examination.check(try await claims(of: first) == nil, "What went with \(what) does not come back.")
        }
    }
}

// MARK: Lookups

extension AccountStoreConformance {
    @Sendable static func findsNothing(_ examination: inout AccountExamination) async throws {
        let nobody = account("nobody")
        let key = identity("nobody", of: nobody).key
        examination.check(try await examination.account(nobody.id) == nil, "An unknown account is not found.")
        examination.check(try await examination.identity(key) == nil, "An unknown identity is not found.")
        examination.check(try await examination.session(sessionID(1)) == nil, "An unknown session is not found.")
        examination.check(
            try await examination.identities(of: nobody).isEmpty, "An unknown account has no identities.")
        examination.check(try await examination.sessions(of: nobody).isEmpty, "An unknown account has no sessions.")
        examination.check(
            try await examination.accounts(after: nil, limit: 10).isEmpty, "An empty store has no accounts.")
    }

    @Sendable static func findsOwners(_ examination: inout AccountExamination) async throws {
        guard let email = EmailAddress("ada@example.com"), let inCapitals = EmailAddress("ADA@Example.COM")
        else { return }
        let owner = account("owner", email: "Ada@Example.com")
        var others = [account("other-1"), account("other-2"), account("other-3"), account("other-4")]
        for position in 0..<2 { others[position].email = inCapitals }
        for position in 2..<4 { others[position].ownsEmail = true }
        for other in others { try await examination.add(other) }
        examination.check(
            try await examination.account(owning: email) == nil,
            "An account that does not own its address is not found by it.")
        try await examination.add(owner)
        for address in [email, inCapitals] {
            examination.check(
                try await examination.account(owning: address)?.isExactly(owner) == true,
                "An address finds its owner, whatever the case of its ASCII letters.")
        }
        // The email passes to another account in one transaction.
        var (former, next) = (owner, others[0])
        former.ownsEmail = false
        next.ownsEmail = true
        let updates = [former, next]
        try await examination.transact { transaction in
            for account in updates { try transaction.update(account) }
        }
        examination.check(
            try await examination.account(owning: email)?.isExactly(updates[1]) == true,
            "An address that was given up can be owned by another account.")
        let removed = next.id
        try await examination.transact { try $0.remove(removed) }
        examination.check(
            try await examination.account(owning: email) == nil,
            "The email of an account that was removed has no owner.")
    }

    @Sendable static func pagesAreInOrder(_ examination: inout AccountExamination) async throws {
        let names = [
            "b", "A", "~", "aa", "0", "Z", "!", "a", "10", "9", "B", "_", "a!", "\"#$%&'()*+,-./:;<=>?@[\\]^`{|}",
            "\u{E9}", "e\u{301}", "a b", "a\nb", "\u{FFFD}", "\u{1F600}", " ",
            String(repeating: "\u{611B}", count: AccountID.maximumLength),
            String(repeating: "x", count: AccountID.maximumLength),
        ]
        for name in names { try await examination.add(account(name)) }
        let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        var found: [String] = []
        var last: AccountID?
        for _ in names {
            let page = try await examination.accounts(after: last, limit: 4)
            examination.check(page.count <= 4, "A page has no more accounts than its limit.")
            guard let end = page.last else { break }
            found += page.map(\.id.text)
            last = end.id
        }
        examination.check(found == sorted, "Pages have every account once, in the order of the bytes of identifiers.")
        examination.check(
            try await examination.accounts(after: AccountID("Y"), limit: 1).map(\.id.text) == ["Z"],
            "A page can begin after an identifier that no account has.")
        examination.check(
            try await examination.accounts(after: AccountID("\u{10FFFF}"), limit: 9).isEmpty,
            "There is no account after the last one.")
        examination.check(
            try await examination.accounts(after: nil, limit: 0).isEmpty, "A page with the limit 0 is empty.")
    }

    @Sendable static func insertsWhatIsFree(_ examination: inout AccountExamination) async throws {
        let present = account("present", email: "ada@example.com")
        let known = identity("known", of: present)
        try await examination.add(present, [known])
        let free = account("free", email: "free@example.com")
        let wanted: [(account: Account, identities: [AccountIdentity])] = [
            (account("present"), [identity("new-1", of: present)]),
            (account("owner", email: "ADA@example.com"), [identity("new-2", of: account("owner"))]),
            (
                account("linked"),
                [identity("new-3", of: account("linked"), provider: "acme"), identity("known", of: account("linked"))]
            ),
            (free, [identity("new-4", of: free), identity("new-4", of: free, provider: "acme")]),
            (account("late"), [identity("new-4", of: account("late"))]),
            (account("bare"), []),
        ]
        // More than are sent at once, if a store sends them.
        let many = (0..<250).map { number in
            let account = account("many-\(number)")
            return (account: account, identities: [identity("many-\(number)", of: account)])
        }
        let areInserted = try await examination.transact { try $0.insertFree(wanted + many) }
        guard areInserted.contains(true) else {
            examination.check(
                areInserted.count == wanted.count + many.count,
                "There is an answer for each account that may be in the way.")
            return
        }
        examination.check(
            areInserted == [false, false, false, true, false, true] + many.map { _ in true },
            "Accounts are inserted but those for which another record is in the way.")
        let contents = try await examination.contents()
        examination.check(
            contents.accounts.count == 3 + many.count && contents.identities.count == 3 + many.count,
            "Of an account for which another record is in the way nothing is there.")
        let inserted = contents.accounts.first { $0.id == free.id }
        examination.check(inserted?.isExactly(free) == true, "An account for which nothing is in the way comes back.")
        examination.check(
            try await examination.identity(known.key)?.account == present.id, "An identity stays with its account.")
    }

    @Sendable static func identitiesAreInOrder(_ examination: inout AccountExamination) async throws {
        let (ada, bob) = (account("ada"), account("bob"))
        var linked = ["m", "z", "a", "k"].map { identity("ada", of: ada, provider: $0) }
        // Linked last, when the clock had been set back.
        linked.append(identity("ada", of: ada, provider: "b", at: start - 60))
        let (known, bobs) = (linked, [identity("bob", of: bob, provider: "a")])
        try await examination.add(ada, Array(known.prefix(2)))
        try await examination.add(bob, bobs)
        for newcomer in known.dropFirst(2) { try await examination.transact { try $0.insert(newcomer) } }
        examination.check(
            try await examination.identities(of: ada).map(\.key) == known.map(\.key),
            "The identities of an account are in the order in which they were linked.")
        examination.check(
            try await examination.identities(of: bob).map(\.key) == bobs.map(\.key),
            "An account has only its own identities.")
        linked[1].lastUsedAt = start + 60
        let updated = linked[1]
        try await examination.transact { transaction in
            try transaction.update(updated)
            try transaction.remove(known[0].key)
            try transaction.insert(known[0])
        }
        examination.check(
            try await examination.identities(of: ada).map(\.key) == (Array(known.dropFirst()) + [known[0]]).map(\.key),
            "An update does not move an identity; one that was removed and linked again is the last.")
        let pages: [(last: AccountID?, limit: Int, expected: [Account])] = [
            (nil, 9, [ada, bob]), (nil, 1, [ada]), (ada.id, 9, [bob]), (bob.id, 9, []),
        ]
        for (last, limit, expected) in pages {
            let page = try await examination.transact(.list) { try $0.page(after: last, limit: limit) }
            examination.check(page.map(\.account.id) == expected.map(\.id), "A page has the accounts of the list.")
            for (owner, found) in page {
                examination.check(
                    try await examination.identities(of: owner).map(\.key) == found.map(\.key),
                    "A page has the identities of each account, in their order.")
            }
        }
    }
}
