// SPDX-License-Identifier: Apache-2.0

package import Accounts
import FuzzingSupport
package import StoreTesting

/// One operation of a random sequence over few users, few providers and few addresses, so that they collide.
package struct AccountStep: Sendable, CustomStringConvertible {
    package enum Kind: Sendable {
        case signIn(VerifiedIdentity, age: Int64, mayCreate: Bool, uses: [TokenUse])
        case link(VerifiedIdentity, asking: AuthenticatedSession, uses: [TokenUse])
        case unlink(providerID: String, asking: AuthenticatedSession)
        case update(name: AttributeChange, unlinking: [String], asking: AuthenticatedSession)
        case delete(asking: AuthenticatedSession)
        case setDisabled(Bool, AccountID)
        case refresh(AccountSession.ID, secretHash: [UInt8])
        case prove(AuthenticatedSession)
        case endSessions(AccountID)
        case endSessionsOfIdentity(IdentityKey, age: Int64?)
        case setCustomClaims(CustomClaims?, AccountID)
        case take(ImportedUser, ImportChoices)
    }

    package let number: Int
    package let now: Int64
    package let kind: Kind

    package var description: String { "\(number) at \(now): \(kind)" }

    /// The identifier of an account or a session that the step makes.
    private var newAccount: AccountID { AccountID("account-\(number)") ?? AccountID() }
    private var newSession: NewSession {
        NewSession(id: Self.session(number), secretHash: Self.secretHash(number))
    }

    package static func session(_ number: Int) -> AccountSession.ID {
        let bytes = (0..<AccountSession.ID.byteCount).map { UInt8(truncatingIfNeeded: $0 < 8 ? number >> (8 * $0) : 0) }
        return AccountSession.ID(bytes: bytes) ?? AccountSession.ID()
    }

    package static let unknownSession = AuthenticatedSession(session(1_000_000), of: AccountID())

    package static func secretHash(_ number: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 32)
    }

    /// Runs the step. What it answers is comparable: the same on every store.
    package func run(_ operations: AccountOperations, in transaction: any AccountTransaction) throws -> Answer {
        switch kind {
        case .signIn(let identity, let age, let mayCreate, let uses):
            return .signedIn(
                try operations.signIn(
                    SignInRequest(
                        identity, authTime: now - age, mayCreate: mayCreate, newAccount: newAccount, app: "web",
                        uses: uses), session: newSession,
                    in: transaction, now: now))
        case .link(let identity, let asking, let uses):
            return .signedIn(
                try operations.link(
                    LinkRequest(identity, asking: asking, app: "web", uses: uses), session: newSession,
                    in: transaction, now: now))
        case .unlink(let providerID, let asking):
            let result = try operations.unlink(providerID: providerID, asking: asking, in: transaction, now: now)
            return .account(result.account, result.identities)
        case .update(let name, let providers, let asking):
            let result = try operations.update(
                displayName: name, unlinking: providers, asking: asking, in: transaction, now: now)
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
        case .endSessionsOfIdentity(let key, let age):
            return .ended(
                try operations.endSessions(of: key, eventTime: age.map { now - $0 }, in: transaction, now: now))
        case .setCustomClaims(let claims, let account):
            var change = AccountChange()
            change.customClaims = claims.map { .set($0) } ?? .clear
            let result = try operations.update(account, by: change, in: transaction, now: now)
            return .account(result.account, result.identities)
        case .take(let user, let choices):
            return .taken(try operations.take(user, choices, in: transaction))
        }
    }

    package enum Answer: Sendable, Hashable {
        case signedIn(SignedInAccount)
        case account(Account, [AccountIdentity])
        case done
        case ended(Bool)
        case taken(ImportOutcome)
        case refused(AccountRefusal)
    }
}

extension AccountStep {
    /// Steps that follow from a seed.
    package struct Generator {
        private var random: SeededRandom
        private var now: Int64 = 1_790_000_000
        private var number = 0

        /// The issuers, and the IDs that their providers have in the course of a sequence.
        package static let issuers = [
            ("https://apple", ["apple.com"]), ("https://google", ["google.com", "oidc.google"]),
            ("https://lax", ["oidc.lax", "oidc.google"]),
        ]
        private static let addresses = ["ada@example.com", "Ada@Example.com", "bob@example.com", "eve@example.com"]

        package init(seed: UInt64) { random = SeededRandom(seed: seed) }

        package mutating func next(after contents: AccountStoreContents) -> AccountStep {
            number += 1
            now += Int64(random.below(120))
            let kind = self.kind(contents)
            return AccountStep(number: number, now: now, kind: kind)
        }

        private mutating func kind(_ contents: AccountStoreContents) -> Kind {
            let session = contents.sessions.isEmpty ? nil : contents.sessions[random.below(contents.sessions.count)]
            let account = contents.accounts.isEmpty ? nil : contents.accounts[random.below(contents.accounts.count)]
            let asking = session.map { AuthenticatedSession($0) } ?? AccountStep.unknownSession
            switch random.below(25) {
            case 0..<7:
                let age = random.below(3) == 0 ? Int64(random.below(400)) : 0
                return .signIn(identity(), age: age, mayCreate: random.below(5) > 0, uses: uses())
            case 7..<11: return .link(identity(), asking: asking, uses: uses())
            case 11..<13: return .unlink(providerID: provider().id, asking: asking)
            case 13:
                let changes: [AttributeChange] = [.keep, .clear, .set("Ada"), .set(""), .set("A\u{202E}")]
                let change = changes[random.below(changes.count)]
                let providers = (0..<max(0, random.below(4) - 1)).map { _ in provider().id }
                return .update(name: change, unlinking: providers, asking: asking)
            case 14: return .delete(asking: asking)
            case 15: return .setDisabled(random.below(3) == 0, account?.id ?? AccountID())
            case 16, 17:
                let hash = random.below(4) == 0 ? AccountStep.secretHash(7) : session?.secretHash
                return .refresh(asking.id, secretHash: hash ?? AccountStep.secretHash(7))
            case 18: return .prove(asking)
            case 19:
                let key = identity().key
                guard random.below(3) == 0 else { return .prove(asking) }
                return .endSessionsOfIdentity(key, age: random.below(3) == 0 ? nil : Int64(random.below(400)))
            case 20:
                let claims = random.below(2) == 0 ? CustomClaims(json: #"{"role":"admin"}"#) : nil
                return .setCustomClaims(claims, account?.id ?? AccountID())
            case 21: return .endSessions(account?.id ?? AccountID())
            default:
                var choices = ImportChoices()
                choices.updates = random.below(2) == 0
                choices.takesSecondFactors = random.below(2) == 0
                return .take(user(), choices)
            }
        }

        private mutating func provider() -> (issuer: String, id: String) {
            let (issuer, ids) = Self.issuers[random.below(Self.issuers.count)]
            return (issuer, ids[random.below(8) == 0 ? ids.count - 1 : 0])
        }

        private mutating func identity() -> VerifiedIdentity {
            let provider = provider()
            let address = random.below(5) == 0 ? nil : EmailAddress(Self.addresses[random.below(4)])
            return VerifiedIdentity(
                IdentityKey(issuer: provider.issuer, subject: "person-\(random.below(4))"),
                providerID: provider.id, email: address, isEmailProved: random.below(3) > 0,
                isPrivateRelay: random.below(8) == 0, displayName: random.below(2) == 0 ? "Name" : nil)
        }

        private mutating func user() -> ImportedUser {
            let id = AccountID("imported-\(random.below(6))") ?? AccountID()
            var account = Account(id: id, createdAt: 1_700_000_000 + Int64(random.below(3)), validSince: 0)
            let address = random.below(3) == 0 ? nil : Self.addresses[random.below(4)]
            account.email = address.flatMap { EmailAddress($0) }
            account.isEmailVerified = address != nil && random.below(2) == 0
            account.displayName = random.below(2) == 0 ? "Name" : nil
            let hasSecondFactor = random.below(4) == 0
            var members = address.map { [#""email":"\#($0)""#] } ?? []
            if account.isEmailVerified { members.append(#""emailVerified":true"#) }
            if hasSecondFactor { members.append(#""secondFactor":true"#) }
            account.imported = ImportedRecord(json: "{" + members.joined(separator: ",") + "}")
            var identities: [VerifiedIdentity] = []
            for _ in 0..<random.below(3) {
                let known = identity()
                guard !identities.contains(where: { $0.providerID == known.providerID || $0.key == known.key }) else {
                    continue
                }
                // A file does not say which identity proved the address.
                identities.append(VerifiedIdentity(known.key, providerID: known.providerID, email: known.email))
            }
            var user = ImportedUser(account, identities: identities)
            user.hasSecondFactor = hasSecondFactor
            return user
        }

        private mutating func uses() -> [TokenUse] {
            (0..<max(0, random.below(4) - 1)).map { _ in
                let hash = [UInt8](repeating: UInt8(random.below(20)), count: 32)
                return TokenUse(hash: hash, expiry: now + Int64(random.below(300)))
            }
        }
    }
}
