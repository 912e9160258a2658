// SPDX-License-Identifier: Apache-2.0

import Accounts
import AccountsTestSupport
import StoreTesting
import Testing

/// What an operation is refused for, where a random sequence does not show it.
struct AccountRefusalTests {
    private let operations = AccountOperations(policy: AccountPolicy())
    private let store = ModelAccountStore()
    private let now: Int64 = 1_790_000_000
    private let ada = VerifiedIdentity(IdentityKey(issuer: "https://i", subject: "ada"), providerID: "p")

    private func signIn(_ number: Int, mayCreate: Bool = true, uses: [TokenUse] = []) throws -> SignedInAccount {
        let session = NewSession(id: AccountStep.session(number), secretHash: AccountStep.secretHash(number))
        return try store.transact(.write) {
            try operations.signIn(
                SignInRequest(ada, authTime: now, mayCreate: mayCreate, uses: uses), session: session,
                in: $0, now: now)
        }
    }

    /// The code with which a transaction was refused; `nil` if it was not.
    private func code<Result>(_ body: () throws -> Result) throws -> AccountRefusal.Code? {
        do {
            _ = try body()
            return nil
        } catch let refusal as AccountRefusal {
            return refusal.code
        }
    }

    private func refresh(_ session: AccountSession, secretHash: [UInt8]? = nil) throws -> AccountRefusal.Code? {
        try code {
            try store.transact(.write) {
                try operations.refresh(session.id, secretHash: secretHash ?? session.secretHash, in: $0, now: now)
            }
        }
    }

    @Test func `what may be used once is used up by success and by nothing that is refused`() throws {
        let use = [TokenUse(hash: [1], expiry: now + 300)]
        #expect(try code { try signIn(1, mayCreate: false, uses: use) } == .unknown)
        #expect(try code { try signIn(2, uses: use) } == nil)
        #expect(try code { try signIn(3, uses: use) } == .used)
        #expect(try code { try signIn(4, uses: [TokenUse(hash: [2], expiry: now + 300)]) } == nil)
    }

    @Test func `a refresh needs the secret, and tells nothing without it`() throws {
        let person = try signIn(1)
        #expect(try refresh(person.session) == nil)
        #expect(try refresh(person.session, secretHash: AccountStep.secretHash(2)) == .sessionEnded)
        try store.transact(.write) { try operations.setDisabled(true, person.account.id, in: $0) }
        #expect(try refresh(person.session, secretHash: AccountStep.secretHash(2)) == .sessionEnded)
        #expect(try refresh(person.session) == .disabled)
        try store.transact(.write) { try operations.setDisabled(false, person.account.id, in: $0) }
        #expect(try refresh(person.session) == nil)
        try store.transact(.write) { try operations.endSessions(of: person.account.id, in: $0, now: now + 1) }
        #expect(try refresh(person.session) == .sessionEnded)
    }

    @Test func `a deletion needs a recent sign-in or a recent proof`() throws {
        let person = try signIn(1)
        func delete(at time: Int64) throws -> AccountRefusal.Code? {
            try code {
                try store.transact(.write) {
                    try operations.delete(asking: AuthenticatedSession(person.session), in: $0, now: time)
                }
            }
        }
        #expect(try delete(at: now + 300) == .signInTooOld)
        try store.transact(.write) {
            try operations.prove(AuthenticatedSession(person.session), in: $0, now: now + 299)
        }
        #expect(try delete(at: now + 300) == nil)
        #expect(store.contents == AccountStoreContents(accounts: [], identities: [], sessions: []))
    }
}
