// SPDX-License-Identifier: Apache-2.0

import Accounts
import NIOCore
import NIOPosix
import StoreTesting
import Synchronization
import Testing

/// The store of accounts in memory, and whether the checks of stores find what is wrong with one.
struct ModelAccountStoreTests {
    private let eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()

    @Test func `does what every store must`() async throws {
        let failures = try await AccountStoreConformance.failures({ ModelAccountStore() }, on: eventLoop)
        #expect(failures.isEmpty, "\(failures)")
    }

    @Test func `a wrapper that breaks nothing meets every requirement`() async throws {
        let failures = try await AccountStoreConformance.failures({ BrokenAccountStore(nil) }, on: eventLoop)
        #expect(failures.isEmpty, "\(failures)")
    }

    @Test(arguments: AccountStoreFault.allCases)
    func `the checks find a store that is broken`(fault: AccountStoreFault) async throws {
        let failures = try await AccountStoreConformance.failures({ BrokenAccountStore(fault) }, on: eventLoop)
        #expect(!failures.isEmpty, "No check finds that a store \(fault.rawValue).")
    }

    @Test func `the checks find a store that answers on a loop of its own`() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let own: any EventLoop = group.any()
        let failures = try await AccountStoreConformance.failures(
            { BrokenAccountStore(nil, answeringOn: own) }, on: eventLoop)
        try await group.shutdownGracefully()
        #expect(!failures.isEmpty)
    }
}

/// What is wrong with a store.
enum AccountStoreFault: String, Sendable, CaseIterable {
    case commitsErrors = "commits although the body threw"
    case replacesErrors = "throws an error of its own in place of the body's"
    case forgivesConflicts = "commits although an identity conflicted, if the body caught the error"
    case ignoresConflicts = "says nothing of an identity that another account has"
    case ignoresProviders = "allows a second identity of a provider"
    case sharesAddresses = "lets a second account have an address, without saying that it does not own it"
    case writesWhileReading = "writes in a transaction for reading"
    case lowersValidSince = "says nothing of a lower validSince, but keeps it"
    case movesSessions = "ends and begins a session whose constants change"
    case losesNames = "loses the names of accounts"
    case losesImports = "loses what was imported with accounts"
    case changesAddresses = "keeps addresses in lower case"
    case cutsAtNUL = "ends a subject at its first NUL"
    case composes = "finds an identity by a key that is canonically equivalent"
    case findsAnyAddress = "finds an account by an address that it does not own"
    case repeatsPages = "ignores the identifier after which a page begins"
    case reversesIdentities = "gives the identities of an account in reverse"
    case reversesSessions = "gives the sessions of an account in reverse"
    case losesEvents = "has no outbox"
    case keepsClaims = "keeps the claims of an identity that were replaced by none"
    case keepsAccounts = "does not remove accounts"
    case endsAllSessions = "ends the sessions of all accounts when one is removed"
    case endsKeptSession = "ends the session that is to be kept, too"
    case endsSessionsOfProviders = "ends the sessions of every provider"
    case missesSessionsOfProvider = "misses the sessions that began in a session of a provider"
    case trimsTooMuch = "keeps a session too few"
    case ignoresNewIDs = "does not give sessions the new ID of a provider"
    case forgetsUses = "forgets what was used up"
    case readsWhatWas = "reads an account for writing as it was first read"
    case sweepsEarly = "sweeps a second too early"
    case sweepsEverything = "sweeps without a limit"
    case miscounts = "returns one more than was swept"
}

/// A model store with one fault.
private final class BrokenAccountStore: AccountStore {
    private let model = ModelAccountStore()
    private let fault: AccountStoreFault?
    private let ownLoop: (any EventLoop)?
    /// The accounts as they were first read for writing.
    private let firstRead = Mutex<[AccountID: Account]>([:])

    private struct OwnError: Error {}

    init(_ fault: AccountStoreFault?, answeringOn ownLoop: (any EventLoop)? = nil) {
        self.fault = fault
        self.ownLoop = ownLoop
    }

    func transact<Value: Sendable>(
        _ mode: AccountTransactionMode, on eventLoop: any EventLoop,
        _ body: @escaping @Sendable (any AccountTransaction) throws -> Value
    ) -> EventLoopFuture<Value> {
        let loop = ownLoop ?? eventLoop
        let storeMode = fault == .writesWhileReading ? AccountTransactionMode.write : mode
        let outcome: EventLoopFuture<Result<Value, any Error>> = model.transact(storeMode, on: loop) { transaction in
            // What this closure throws is not committed.
            do {
                let broken = BrokenTransaction(transaction, self.fault, mode: mode) { self.remembered($0) }
                return .success(try body(broken))
            } catch {
                guard self.fault == .commitsErrors, !(error is AccountStoreError) else { throw error }
                return .failure(error)
            }
        }
        let future = outcome.flatMapThrowing { try $0.get() }
        guard fault == .replacesErrors else { return future }
        return future.flatMapErrorThrowing { error in
            if error is AccountStoreError { throw error }
            throw OwnError()
        }
    }

    func sweep(before now: Int64, limit: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
        let time = fault == .sweepsEarly && now < .max ? now + 1 : now
        let future = model.sweep(
            before: time, limit: fault == .sweepsEverything ? .max : limit, on: ownLoop ?? eventLoop)
        let excess = fault == .miscounts ? 1 : 0
        return future.map { $0 + excess }
    }

    private func remembered(_ account: Account) -> Account {
        firstRead.withLock { accounts in
            let known = accounts[account.id] ?? account
            accounts[account.id] = known
            return known
        }
    }
}

/// A transaction of a model store with one fault.
private final class BrokenTransaction: AccountTransaction {
    private let model: any AccountTransaction
    private let fault: AccountStoreFault?
    private let mode: AccountTransactionMode
    private let remembered: (Account) -> Account

    init(
        _ model: any AccountTransaction, _ fault: AccountStoreFault?, mode: AccountTransactionMode,
        remembered: @escaping (Account) -> Account
    ) {
        self.model = model
        self.fault = fault
        self.mode = mode
        self.remembered = remembered
    }

    var outbox: (any AccountOutbox)? { fault == .losesEvents ? nil : model.outbox }

    private func allAccounts() throws -> [Account] { try model.accounts(after: nil, limit: .max) }

    // MARK: Reading

    func identity(_ key: IdentityKey) throws -> AccountIdentity? {
        guard fault == .composes else { return try model.identity(stored(key)) }
        let all = try allAccounts().flatMap { try model.identities(of: $0.id) }
        // Texts are equal that are canonically equivalent.
        return all.first { $0.key.issuer == key.issuer && $0.key.subject == key.subject }
    }

    func claims(of identity: IdentityKey) throws -> String? { try model.claims(of: stored(identity)) }

    func identities(of account: AccountID) throws -> [AccountIdentity] {
        let identities = try model.identities(of: account)
        return fault == .reversesIdentities ? identities.reversed() : identities
    }

    func account(_ id: AccountID) throws -> Account? {
        let account = try model.account(id)
        return fault == .readsWhatWas && mode == .write ? account.map(remembered) : account
    }

    func account(owning email: EmailAddress) throws -> Account? {
        guard fault == .findsAnyAddress else { return try model.account(owning: email) }
        return try allAccounts().first { $0.email == email }
    }

    func accounts(after id: AccountID?, limit: Int) throws -> [Account] {
        try model.accounts(after: fault == .repeatsPages ? nil : id, limit: limit)
    }

    func session(_ id: AccountSession.ID) throws -> AccountSession? { try model.session(id) }

    func sessions(of account: AccountID) throws -> [AccountSession] {
        let sessions = try model.sessions(of: account)
        return fault == .reversesSessions ? sessions.reversed() : sessions
    }

    func sessions(begunIn providerSession: [UInt8]) throws -> [AccountSession] {
        fault == .missesSessionsOfProvider ? [] : try model.sessions(begunIn: providerSession)
    }

    // MARK: Writing

    func insert(_ account: Account) throws { try model.insert(stored(account)) }

    func update(_ account: Account) throws { try model.update(stored(account)) }

    func remove(_ account: AccountID) throws {
        if fault == .endsAllSessions {
            for other in try allAccounts() {
                try model.removeSessions(of: other.id, begunWith: nil, except: nil)
            }
        }
        if fault != .keepsAccounts { try model.remove(account) }
    }

    func insert(_ identity: AccountIdentity) throws {
        let isKnown = try model.identity(stored(identity.key)) != nil
        if isKnown && fault == .ignoresConflicts { return }
        if isKnown && fault == .forgivesConflicts { throw AccountStoreError(.conflict, "the identity is there") }
        let own = try model.identities(of: identity.account)
        let isSecond = own.contains { $0.verified.providerID == identity.verified.providerID }
        if isSecond && !isKnown && fault == .ignoresProviders { return }
        try model.insert(stored(identity))
    }

    func update(_ identity: AccountIdentity) throws { try model.update(stored(identity)) }

    func setClaims(_ claims: String?, of identity: IdentityKey) throws {
        if claims != nil || fault != .keepsClaims { try model.setClaims(claims, of: stored(identity)) }
    }

    func remove(_ identity: IdentityKey) throws { try model.remove(stored(identity)) }

    func insert(_ session: AccountSession) throws { try model.insert(session) }

    func update(_ session: AccountSession) throws {
        guard fault == .movesSessions, let known = try model.session(session.id) else {
            return try model.update(session)
        }
        let others = try model.sessions(of: known.account).filter { $0.id != session.id }
        try model.removeSessions(of: known.account, begunWith: nil, except: nil)
        for other in others + [session] { try model.insert(other) }
    }

    func removeSessions(of account: AccountID, begunWith providerID: String?, except kept: AccountSession.ID?) throws {
        try model.removeSessions(
            of: account, begunWith: fault == .endsSessionsOfProviders ? nil : providerID,
            except: fault == .endsKeptSession ? nil : kept)
    }

    func trimSessions(of account: AccountID, to count: Int) throws {
        try model.trimSessions(of: account, to: fault == .trimsTooMuch ? max(0, count - 1) : count)
    }

    func renameProvider(_ providerID: String, to newID: String, inSessionsOf account: AccountID) throws {
        guard fault != .ignoresNewIDs else { return }
        try model.renameProvider(providerID, to: newID, inSessionsOf: account)
    }

    func consume(_ hash: [UInt8], expiry: Int64) throws -> Bool {
        let isNew = try model.consume(hash, expiry: expiry)
        return isNew || fault == .forgetsUses
    }

    // MARK: What is written

    private func stored(_ account: Account) throws -> Account {
        var stored = account
        switch fault {
        case .sharesAddresses:
            if let email = account.email, let owner = try model.account(owning: email), owner.id != account.id {
                stored.ownsEmail = false
            }
        case .lowersValidSince:
            if let known = try model.account(account.id) { stored.end(sessionsBefore: known.validSince) }
        case .losesNames: stored.displayName = nil
        case .losesImports: stored.imported = nil
        case .changesAddresses: stored.email = account.email.flatMap { EmailAddress($0.key) }
        default: break
        }
        return stored
    }

    private func stored(_ identity: AccountIdentity) -> AccountIdentity {
        guard fault == .cutsAtNUL, identity.key.subject.utf8.contains(0) else { return identity }
        return AccountIdentity(
            VerifiedIdentity(stored(identity.key), providerID: identity.verified.providerID), of: identity.account,
            at: identity.createdAt)
    }

    private func stored(_ key: IdentityKey) -> IdentityKey {
        guard fault == .cutsAtNUL else { return key }
        let subject = key.subject.unicodeScalars.prefix { $0 != "\0" }
        return IdentityKey(issuer: key.issuer, subject: String(String.UnicodeScalarView(subject)))
    }
}
