// SPDX-License-Identifier: Apache-2.0

import Accounts
import AccountsTestSupport
import StoreTesting
import Testing

/// Random sequences of operations on the model store. A seed that failed once stays here.
struct AccountSequenceTests {
    @Test(arguments: AccountSequence.policies.indices, Array<UInt64>(1...25))
    func `every invariant holds after every step`(policy: Int, seed: UInt64) throws {
        let policy = AccountSequence.policies[policy]
        let operations = AccountOperations(policy: policy)
        let store = ModelAccountStore()
        var steps = AccountStep.Generator(seed: seed)
        var answers: [String: Int] = [:]
        for _ in 0..<300 {
            let before = store.contents
            let step = steps.next(after: before)
            let answer = try AccountSequence.run(step, operations, on: store)
            let after = store.contents
            let violations = after.violations(under: policy)
            try #require(violations.isEmpty, "\(violations) after \(step)")
            check(step, answer, before, after)
            checkEntry(step, answer, before, policy)
            answers[Self.name(answer), default: 0] += 1
        }
        // The sequence reached what it is for.
        #expect(answers["signed in", default: 0] > 10)
        #expect(answers["refused", default: 0] > 10)
    }

    private static func name(_ answer: AccountStep.Answer) -> String {
        switch answer {
        case .signedIn: "signed in"
        case .account: "account"
        case .done, .ended, .taken: "done"
        case .refused: "refused"
        }
    }

    /// Only its own users enter an existing account, or a user whose email both sides have proved at providers that
    /// link by email.
    private func checkEntry(
        _ step: AccountStep, _ answer: AccountStep.Answer, _ before: AccountStoreContents, _ policy: AccountPolicy
    ) {
        guard case .signIn(let newcomer, let age, _, _) = step.kind, case .signedIn(let person) = answer else { return }
        let owned = before.identities.filter { $0.account == person.account.id }
        guard let account = before.accounts.first(where: { $0.id == person.account.id }) else {
            return #expect(person.isNew && owned.isEmpty)
        }
        #expect(step.now - age >= account.validSince, "an old verification entered an account: \(step)")
        guard !owned.contains(where: { $0.key == newcomer.key }) else { return }
        func links(_ identity: VerifiedIdentity) -> Bool {
            !identity.isPrivateRelay && identity.isEmailProved
                && policy.providersThatLinkByEmail.contains(
                    LinkingProvider(id: identity.providerID, issuer: identity.key.issuer))
        }
        guard !owned.isEmpty else {
            let mayEnter = policy.importedUsersEnterByEmailUntil.map { step.now < $0 } ?? false
            let isSame = account.email != nil && account.email == newcomer.email
            let isFirst = account.imported?[.entered] == nil && account.imported?[.secondFactor] == nil
            return #expect(mayEnter && isSame && isFirst && links(newcomer), "a stranger entered: \(step)")
        }
        let isProved = links(newcomer) && owned.contains { links($0.verified) && $0.verified.email == newcomer.email }
        #expect(policy.email == .unique && account.isFoundByEmail && isProved, "a stranger entered: \(step)")
    }

    /// What an answer says about the records.
    private func check(
        _ step: AccountStep, _ answer: AccountStep.Answer, _ before: AccountStoreContents, _ after: AccountStoreContents
    ) {
        switch answer {
        case .refused: #expect(before == after, "a refusal wrote something: \(step)")
        case .signedIn(let person):
            #expect(!person.account.isDisabled)
            #expect(after.accounts.contains(person.account))
            #expect(after.identities.contains(person.identity))
            #expect(after.sessions.contains(person.session))
            #expect(person.identity.account == person.account.id && person.session.account == person.account.id)
            #expect(person.isNew == !before.accounts.contains { $0.id == person.account.id })
        case .account(let account, _):
            #expect(after.accounts.contains(account))
            // An operator may change a disabled one.
            if case .setCustomClaims = step.kind {} else { #expect(!account.isDisabled) }
        case .done, .ended, .taken: break
        }
        let identities = Dictionary(uniqueKeysWithValues: before.identities.map { ($0.key, $0.account) })
        for identity in after.identities {
            if let owner = identities[identity.key] { #expect(owner == identity.account, "an identity changed hands") }
        }
        let sessions = Dictionary(uniqueKeysWithValues: before.sessions.map { ($0.id, $0) })
        for session in after.sessions {
            if let known = sessions[session.id] {
                #expect(known.authTime == session.authTime && known.account == session.account)
            }
        }
        let accounts = Dictionary(uniqueKeysWithValues: before.accounts.map { ($0.id, $0) })
        for account in after.accounts {
            if let known = accounts[account.id] { #expect(account.validSince >= known.validSince) }
        }
    }
}
