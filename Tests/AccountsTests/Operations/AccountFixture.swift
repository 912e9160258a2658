// SPDX-License-Identifier: Apache-2.0

import Accounts
import AccountsTestSupport
import StoreTesting

/// Operations on a model store, with one line for each call.
struct AccountFixture {
    static let now: Int64 = 1_790_000_000
    static let linking: Set<LinkingProvider> = [
        LinkingProvider(id: "p", issuer: "https://p"), LinkingProvider(id: "q", issuer: "https://q"),
    ]

    let store = ModelAccountStore()
    let operations: AccountOperations

    init(_ policy: AccountPolicy = AccountPolicy()) { operations = AccountOperations(policy: policy) }

    static func person(
        _ subject: String = "ada", at provider: String, id: String? = nil, email: String? = nil, isProved: Bool = true,
        isPrivateRelay: Bool = false
    ) -> VerifiedIdentity {
        VerifiedIdentity(
            IdentityKey(issuer: "https://\(provider)", subject: subject), providerID: id ?? provider,
            email: email.flatMap { EmailAddress($0) }, isEmailProved: isProved, isPrivateRelay: isPrivateRelay)
    }

    func signIn(
        _ identity: VerifiedIdentity, session: Int = 1, authTime: Int64 = now, at time: Int64 = now,
        expected: AccountID? = nil
    ) throws -> SignedInAccount {
        try write {
            try operations.signIn(
                SignInRequest(identity, authTime: authTime, expected: expected), session: Self.session(session),
                in: $0, now: time)
        }
    }

    func link(
        _ identity: VerifiedIdentity, to person: SignedInAccount, session: Int = 2, at time: Int64 = now,
        uses: [TokenUse] = []
    ) throws -> SignedInAccount {
        try write {
            try operations.link(
                LinkRequest(identity, asking: AuthenticatedSession(person.session), uses: uses),
                session: Self.session(session), in: $0, now: time)
        }
    }

    @discardableResult
    func unlink(_ providerID: String, asking person: SignedInAccount, at time: Int64 = now) throws -> Account {
        try write {
            try operations.unlink(
                providerID: providerID, asking: AuthenticatedSession(person.session), in: $0, now: time
            ).account
        }
    }

    @discardableResult
    func refresh(_ session: AccountSession, at time: Int64 = now) throws -> Account {
        try write {
            try operations.refresh(session.id, secretHash: session.secretHash, in: $0, now: time).account
        }
    }

    func end(_ session: AccountSession, of person: SignedInAccount) throws {
        try write { try operations.endSession(session.id, of: person.account.id, in: $0, now: Self.now) }
    }

    func endSessions(of person: SignedInAccount, at time: Int64) throws {
        try write { try operations.endSessions(of: person.account.id, in: $0, now: time) }
    }

    /// The code with which something was refused; `nil` if it was not.
    func code<Result>(_ body: () throws -> Result) throws -> AccountRefusal.Code? {
        do {
            _ = try body()
            return nil
        } catch let refusal as AccountRefusal {
            return refusal.code
        }
    }

    private func write<Result>(_ body: (any AccountTransaction) throws -> Result) throws -> Result {
        try store.transact(.write, body)
    }

    private static func session(_ number: Int) -> NewSession {
        NewSession(id: AccountStep.session(number), secretHash: AccountStep.secretHash(number))
    }
}
