// SPDX-License-Identifier: Apache-2.0

import Accounts
import FuzzingSupport
import OIDCBrokerTesting

/// One operation of a random sequence over few people, few providers and few addresses, so that they collide.
struct AccountStep: Sendable, CustomStringConvertible {
    enum Kind: Sendable {
        case signIn(VerifiedIdentity, mayCreate: Bool, use: SingleUse?)
        case link(VerifiedIdentity, asking: AccountSession.ID, use: SingleUse?)
        case unlink(providerID: String, asking: AccountSession.ID)
        case update(name: AccountOperations.Change, asking: AccountSession.ID)
        case delete(asking: AccountSession.ID)
        case setDisabled(Bool, AccountID)
        case refresh(AccountSession.ID, secretHash: [UInt8])
        case prove(AccountSession.ID)
        case endSessions(AccountID)
    }

    let number: Int
    let now: Int64
    let kind: Kind

    var description: String { "\(number) at \(now): \(kind)" }

    /// The identifier of an account or a session that the step makes.
    private var newAccount: AccountID { AccountID("account-\(number)") ?? AccountID() }
    private var newSession: NewSession {
        NewSession(id: Self.session(number), secretHash: Self.secretHash(number), app: "web")
    }

    static func session(_ number: Int) -> AccountSession.ID {
        let bytes = (0..<AccountSession.ID.byteCount).map { UInt8(truncatingIfNeeded: $0 < 8 ? number >> (8 * $0) : 0) }
        return AccountSession.ID(bytes: bytes) ?? AccountSession.ID()
    }

    static func secretHash(_ number: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 32)
    }

    /// Runs the step. What it answers is comparable: the same on every store.
    func run(_ operations: AccountOperations, in transaction: any AccountTransaction) throws -> Answer {
        switch kind {
        case .signIn(let identity, let mayCreate, let use):
            return .signedIn(
                try operations.signIn(
                    AccountOperations.SignIn(
                        identity, authTime: now, mayCreate: mayCreate, newAccount: newAccount, session: newSession,
                        use: use),
                    in: transaction, now: now))
        case .link(let identity, let asking, let use):
            return .signedIn(
                try operations.link(
                    AccountOperations.Link(identity, asking: asking, session: newSession, use: use),
                    in: transaction, now: now))
        case .unlink(let providerID, let asking):
            let result = try operations.unlink(providerID: providerID, asking: asking, in: transaction, now: now)
            return .account(result.account, result.identities)
        case .update(let name, let asking):
            let result = try operations.update(displayName: name, asking: asking, in: transaction, now: now)
            return .account(result.account, result.identities)
        case .delete(let asking):
            try operations.delete(asking: asking, in: transaction, now: now)
            return .done
        case .setDisabled(let isDisabled, let account):
            try operations.setDisabled(isDisabled, account, in: transaction)
            return .done
        case .refresh(let session, let secretHash):
            let result = try operations.refresh(session, secretHash: secretHash, in: transaction, now: now)
            return .account(result.account, [])
        case .prove(let session):
            try operations.prove(session, in: transaction, now: now)
            return .done
        case .endSessions(let account):
            try operations.endSessions(of: account, in: transaction, now: now)
            return .done
        }
    }

    enum Answer: Sendable, Hashable {
        case signedIn(SignedInAccount)
        case account(Account, [AccountIdentity])
        case done
        case refused(AccountRefusal)
    }
}

extension AccountStep {
    /// Steps that follow from a seed.
    struct Generator {
        private var random: SeededRandom
        private var now: Int64 = 1_790_000_000
        private var number = 0

        static let providers = ["apple.com", "google.com", "oidc.lax"]
        private static let addresses = ["ada@example.com", "Ada@Example.com", "bob@example.com", "eve@example.com"]

        init(seed: UInt64) { random = SeededRandom(seed: seed) }

        mutating func next(after contents: AccountStoreContents) -> AccountStep {
            number += 1
            now += Int64(random.below(120))
            let kind = self.kind(contents)
            return AccountStep(number: number, now: now, kind: kind)
        }

        private mutating func kind(_ contents: AccountStoreContents) -> Kind {
            let session = contents.sessions.isEmpty ? nil : contents.sessions[random.below(contents.sessions.count)]
            let account = contents.accounts.isEmpty ? nil : contents.accounts[random.below(contents.accounts.count)]
            let asking = session?.id ?? AccountStep.session(1_000_000)
            switch random.below(20) {
            case 0..<7: return .signIn(identity(), mayCreate: random.below(5) > 0, use: use())
            case 7..<11: return .link(identity(), asking: asking, use: use())
            case 11..<13: return .unlink(providerID: provider(), asking: asking)
            case 13:
                let changes: [AccountOperations.Change] = [.keep, .clear, .set("Ada"), .set(""), .set("A\u{202E}")]
                return .update(name: changes[random.below(changes.count)], asking: asking)
            case 14: return .delete(asking: asking)
            case 15: return .setDisabled(random.below(3) == 0, account?.id ?? AccountID())
            case 16, 17:
                let hash = random.below(4) == 0 ? AccountStep.secretHash(7) : session?.secretHash
                return .refresh(asking, secretHash: hash ?? AccountStep.secretHash(7))
            case 18: return .prove(asking)
            default: return .endSessions(account?.id ?? AccountID())
            }
        }

        private mutating func provider() -> String { Self.providers[random.below(Self.providers.count)] }

        private mutating func identity() -> VerifiedIdentity {
            let providerID = provider()
            let address = random.below(5) == 0 ? nil : EmailAddress(Self.addresses[random.below(4)])
            return VerifiedIdentity(
                IdentityKey(issuer: "https://\(providerID)", subject: "person-\(random.below(4))"),
                providerID: providerID, email: address, isEmailProved: random.below(3) > 0,
                isPrivateRelay: random.below(8) == 0, displayName: random.below(2) == 0 ? "Name" : nil)
        }

        private mutating func use() -> SingleUse? {
            random.below(3) > 0 ? nil : SingleUse(hash: [UInt8(random.below(20))], expiry: now + 300)
        }
    }
}
