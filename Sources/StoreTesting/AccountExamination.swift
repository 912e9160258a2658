// SPDX-License-Identifier: Apache-2.0

import Accounts
import NIOCore

/// One check of ``AccountStoreConformance``, with the store under test and the findings.
struct AccountExamination: Sendable {
    typealias Write = @Sendable (any AccountTransaction) throws -> Void

    /// What a body of a transaction throws.
    struct BodyError: Error, Equatable {
        let number: Int
    }

    /// What became of a transaction.
    enum Outcome: Sendable, Equatable, CustomStringConvertible {
        case committed, conflict
        case failed(String)

        var description: String {
            switch self {
            case .committed: "the transaction was committed"
            case .conflict: "there was a conflict"
            case .failed(let error): "the transaction failed with: \(error)"
            }
        }
    }

    let store: any AccountStore
    let eventLoop: any EventLoop
    private(set) var failures: [String] = []

    init(store: any AccountStore, eventLoop: any EventLoop) {
        self.store = store
        self.eventLoop = eventLoop
    }

    /// Records a requirement that the store does not meet.
    mutating func check(_ holds: Bool, _ requirement: String) {
        if !holds { failures.append(requirement) }
    }

    // MARK: Transactions

    @discardableResult
    func transact<Result: Sendable>(
        _ mode: AccountTransactionMode = .write, _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
    ) async throws -> Result {
        try await store.transact(mode, on: eventLoop, body).get()
    }

    /// Runs a transaction that may fail.
    /// - Returns: The error of the transaction; `nil` if it was committed.
    func error(_ mode: AccountTransactionMode = .write, _ body: @escaping Write) async -> (any Error)? {
        do {
            try await transact(mode, body)
            return nil
        } catch {
            return error
        }
    }

    /// Runs a transaction that may fail.
    func outcome(_ mode: AccountTransactionMode = .write, _ body: @escaping Write) async -> Outcome {
        guard let error = await self.error(mode, body) else { return .committed }
        return (error as? AccountStoreError)?.code == .conflict ? .conflict : .failed("\(error)")
    }

    /// Checks that a write is a conflict and that nothing of its transaction is left, whether or not the body lets the
    /// error through.
    mutating func checkConflict(
        _ what: String, in mode: AccountTransactionMode = .write, _ write: @escaping Write
    ) async throws {
        let before = try await contents()
        for isCaught in [false, true] {
            let bystander = AccountStoreConformance.account("bystander-\(isCaught)")
            let outcome = await self.outcome(mode) { transaction in
                if mode == .write { try AccountStoreConformance.insert(bystander, in: transaction) }
                do { try write(transaction) } catch { guard isCaught else { throw error } }
            }
            // A transaction that only reads has nothing to lose where its body catches the error.
            guard mode == .write || !isCaught else { continue }
            let circumstance = isCaught ? ", also where the body of the transaction catches the error" : ""
            check(outcome == .conflict, "\(what) is a conflict\(circumstance), but \(outcome).")
        }
        check(try await contents() == before, "\(what) leaves nothing of its transaction.")
    }

    // MARK: Contents

    /// Adds an account with an identity at least.
    func add(
        _ account: Account, _ identities: [AccountIdentity] = [], sessions: [AccountSession] = []
    ) async throws {
        try await transact { transaction in
            try AccountStoreConformance.insert(account, identities, sessions: sessions, in: transaction)
        }
    }

    func account(_ id: AccountID) async throws -> Account? {
        try await transact(.read) { try $0.account(id) }
    }

    func account(owning email: EmailAddress) async throws -> Account? {
        try await transact(.read) { try $0.account(owning: email) }
    }

    func accounts(after id: AccountID?, limit: Int) async throws -> [Account] {
        try await transact(.read) { try $0.accounts(after: id, limit: limit) }
    }

    func identity(_ key: IdentityKey) async throws -> AccountIdentity? {
        try await transact(.read) { try $0.identity(key) }
    }

    func identities(of account: Account) async throws -> [AccountIdentity] {
        try await transact(.read) { try $0.identities(of: account.id) }
    }

    func session(_ id: AccountSession.ID) async throws -> AccountSession? {
        try await transact(.read) { try $0.session(id) }
    }

    func sessions(of account: Account) async throws -> [AccountSession] {
        try await transact(.read) { try $0.sessions(of: account.id) }
    }

    func sweep(before now: Int64, limit: Int) async throws -> Int {
        try await store.sweep(before: now, limit: limit, on: eventLoop).get()
    }

    /// Whether something was used up. It is not used up by the question, whose transaction throws.
    func isUsed(_ hash: [UInt8]) async -> Bool {
        let error = await self.error { transaction in
            let isNew = try transaction.consume(hash, expiry: .max)
            throw BodyError(number: isNew ? 1 : 0)
        }
        return error as? BodyError == BodyError(number: 0)
    }

    func contents() async throws -> AccountStoreContents {
        try await transact(.read) { transaction in
            let accounts = try transaction.accounts(after: nil, limit: 1000)
            return AccountStoreContents(
                accounts: accounts, identities: try accounts.flatMap { try transaction.identities(of: $0.id) },
                sessions: try accounts.flatMap { try transaction.sessions(of: $0.id) })
        }
    }

    /// Checks that records come back byte for byte, by whatever they are found.
    mutating func checkComesBack(_ records: AccountRecords, _ what: String) async throws {
        let id = records.account.id
        let (accounts, identities, sessions) = try await transact(.read) { transaction in
            var accounts = [try transaction.account(id)]
            accounts.append(try transaction.accounts(after: nil, limit: 1000).first { $0.id == id })
            if records.account.ownsEmail, let email = records.account.email {
                accounts.append(try transaction.account(owning: email))
            }
            let identities = [
                try transaction.identity(records.identity.key), try transaction.identities(of: id).first,
            ]
            let sessions = [try transaction.session(records.session.id), try transaction.sessions(of: id).first]
            return (accounts, identities, sessions)
        }
        check(
            accounts.allSatisfy { $0?.isExactly(records.account) == true },
            "An account \(what) comes back exactly as it was written.")
        check(
            identities.allSatisfy { $0?.isExactly(records.identity) == true },
            "The identity of an account \(what) comes back exactly as it was written.")
        check(
            sessions.allSatisfy { $0?.isExactly(records.session) == true },
            "The session of an account \(what) comes back exactly as it was written.")
    }
}

/// An account with one identity and one session.
struct AccountRecords: Sendable {
    var account: Account
    var identity: AccountIdentity
    var session: AccountSession

    /// Creates records without any optional field, but for the app, which never changes, and the provider's session.
    init(_ number: Int, app: String? = nil, time: Int64 = AccountStoreConformance.start) {
        let account = Account(id: AccountStoreConformance.account("account-\(number)").id, createdAt: time)
        self.account = account
        identity = AccountStoreConformance.identity("person-\(number)", of: account, at: time)
        session = AccountStoreConformance.session(
            number, of: account, app: app, at: time, providerSession: AccountStoreConformance.hash(number))
    }

    /// Fills every field that may change.
    mutating func fill() {
        let time = account.createdAt
        account.lastSignInAt = time + 1
        account.lastRefreshAt = time + 2
        account.displayName = "Ada"
        account.photoURL = "https://example.com/a?b=%20&c='d'"
        account.email = EmailAddress("Ada.O'Brien+\(account.id)%_@Ex\u{E9}mple.com")
        account.ownsEmail = true
        account.isEmailVerified = true
        account.isDisabled = true
        account.end(sessionsBefore: time + 3)
        account.isFoundByEmail = false
        account.customClaims = CustomClaims(json: #"{ "role" : "\u00e9 é", "count" : 1.0 }"#)
        account.imported = ImportedRecord(json: #"{ "facts" : ["\u00e9 é", 1.0] }"#)
        identity = AccountIdentity(
            VerifiedIdentity(
                identity.key, providerID: "apple.com", email: EmailAddress("Eve-\(account.id)@Example.com"),
                isEmailProved: true, isPrivateRelay: true, displayName: "Ada L.", photoURL: "https://example.com/i"),
            of: account.id, at: identity.createdAt)
        identity.lastUsedAt = time + 4
        identity.accessToken = AccountIdentity.HandedOutToken(hash: AccountStoreConformance.hash(9), expiry: time + 5)
        identity.revokedAt = time + 6
        session.renameProvider(to: "apple.com")
        session.lastProofAt = time + 7
        session.lastUsedOn += 8
        session.expiry = time + 9
    }

    /// Empties every field that may change.
    mutating func empty() {
        account = Account(id: account.id, createdAt: account.createdAt, validSince: account.validSince)
        identity = AccountIdentity(
            VerifiedIdentity(identity.key, providerID: "google.com"), of: account.id, at: identity.createdAt)
        session = AccountSession(
            id: session.id, secretHash: session.secretHash, account: account.id, providerID: "google.com",
            app: session.app, authTime: session.authTime, createdAt: session.createdAt, expiry: session.expiry)
    }

    /// Gives every time that may change one value.
    mutating func setTimes(to time: Int64) {
        account.lastSignInAt = time
        account.lastRefreshAt = time
        identity.lastUsedAt = time
        identity.accessToken = AccountIdentity.HandedOutToken(hash: AccountStoreConformance.hash(9), expiry: time)
        identity.revokedAt = time
        session.lastProofAt = time
        session.lastUsedOn = time
        session.expiry = time
    }
}

// Equality of records is not enough: texts are equal that are canonically equivalent, and so are addresses that differ
// in case.
extension Account {
    /// Whether both agree in every byte.
    func isExactly(_ other: Account) -> Bool { self == other && texts == other.texts }

    private var texts: [[UInt8]?] {
        utf8Bytes([displayName, photoURL, email?.text, customClaims?.json, imported?.json])
    }
}

extension AccountIdentity {
    /// Whether both agree in every byte.
    func isExactly(_ other: AccountIdentity) -> Bool { self == other && texts == other.texts }

    private var texts: [[UInt8]?] {
        utf8Bytes([
            key.issuer, key.subject, verified.providerID, verified.email?.text, verified.displayName,
            verified.photoURL,
        ])
    }
}

extension AccountSession {
    /// Whether both agree in every byte.
    func isExactly(_ other: AccountSession) -> Bool { self == other && texts == other.texts }

    private var texts: [[UInt8]?] { utf8Bytes([providerID, app, grant?.scope, grant?.claims]) }
}

private func utf8Bytes(_ texts: [String?]) -> [[UInt8]?] {
    texts.map { text in text.map { Array($0.utf8) } }
}
