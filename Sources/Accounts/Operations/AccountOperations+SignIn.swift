// SPDX-License-Identifier: Apache-2.0

import JOSE

extension AccountOperations {
    /// Signs a user in, and makes an account or links the identity where the rules say so.
    /// - Throws: ``AccountRefusal``, or an error of the store.
    package func signIn(
        _ request: SignInRequest, session: NewSession, in transaction: any AccountTransaction, now: Int64
    ) throws -> SignedInAccount {
        let (account, identity, isNew, holder) = try entered(request, beginsSession: true, in: transaction, now: now)
        let session = try begin(
            session, of: account.id, app: request.app, providerID: identity.verified.providerID,
            providerSession: request.identity.providerSession, authTime: request.authTime(at: now), in: transaction,
            now: now)
        return SignedInAccount(
            account: account, identity: identity, session: session, isNew: isNew, importedHolder: holder)
    }

    /// Enters an account as a sign-in does, by the same rules, and begins no session.
    /// - Throws: ``AccountRefusal``, or an error of the store.
    package func enter(
        _ request: SignInRequest, in transaction: any AccountTransaction, now: Int64
    ) throws -> EnteredAccount {
        let (account, identity, isNew, holder) = try entered(request, beginsSession: false, in: transaction, now: now)
        return EnteredAccount(account: account, identity: identity, isNew: isNew, importedHolder: holder)
    }

    /// Returns whether a sign-in would make an account, in a transaction that may be one for reading.
    /// - Throws: An error of the store.
    func makesAccount(
        _ request: SignInRequest, in transaction: any AccountTransaction, now: Int64
    ) throws -> Bool {
        guard request.expected == nil, try identity(of: request.identity, in: transaction) == nil else { return false }
        let holder = try self.holder(of: request.identity, in: transaction)
        let facts = try signInFacts(request, known: nil, holder: holder, in: transaction, now: now)
        guard case .create = SignInRules.decide(facts) else { return false }
        return true
    }

    private func entered(
        _ request: SignInRequest, beginsSession: Bool, in transaction: any AccountTransaction, now: Int64
    ) throws -> (account: Account, identity: AccountIdentity, isNew: Bool, importedHolder: ImportedHolder?) {
        let verified = request.identity
        let known = try identity(of: verified, in: transaction)
        if let expected = request.expected {
            guard let known else { throw AccountRefusal(.unknown) }
            guard known.account == expected else { throw AccountRefusal(.belongsToAnother) }
        }
        let holder = known == nil ? try self.holder(of: verified, in: transaction) : nil
        let facts = try signInFacts(request, known: known, holder: holder, in: transaction, now: now)
        let decision = SignInRules.decide(facts)
        if let refusal = Self.refusal(decision) {
            throw AccountRefusal(refusal, holder: refusal == .needConfirmation ? holder?.id : nil)
        }
        if case .create = decision, request.permission == .notAsked { throw NewAccountError.notAsked }
        try use(request.uses, in: transaction, now: now)

        var account: Account
        var isNew = false
        var importedHolder: ImportedHolder?
        switch (decision, known, holder) {
        case (.signIn, let known?, _):
            guard let owner = try transaction.account(known.account) else { throw Self.missingAccount }
            account = owner
            account.imported?.noteEntry()
            try replace(
                known, by: try updated(known, by: request, of: account.id, in: transaction, now: now), in: transaction)
        case (.linkToHolder, _, let holder?):
            account = holder
            if facts.holder?.canBeEntered == false { importedHolder = .entered }
            account.imported?.noteEntry()
            try transaction.insert(
                AccountIdentity(verified, of: account.id, at: now, accessToken: request.accessToken))
        case (.create(let email), _, _):
            if email == .takenFromHolder, let holder { try giveUpEmail(holder, in: transaction) }
            if let holder, facts.holder?.hasProved == true { importedHolder = .kept(holder.id) }
            // Nothing was ended yet: the user's other devices may have signed in at the provider a moment before.
            account = Account(id: request.newAccount, createdAt: now, validSince: 0)
            account.email = email == .unchanged ? nil : verified.email
            account.ownsEmail = email == .owned || email == .takenFromHolder
            if case .given(let claims) = request.permission { account.customClaims = claims }
            account.isEmailVerified = account.email != nil && verified.isEmailProved
            try transaction.insert(account)
            try transaction.insert(
                AccountIdentity(verified, of: account.id, at: now, accessToken: request.accessToken))
            isNew = true
        default:
            throw Self.missingAccount
        }
        if let claims = request.keptClaims { try keep(claims, of: verified.key, in: transaction) }
        account.lastSignInAt = max(account.lastSignInAt, now)
        if beginsSession { account.noteTokens(at: now) }
        account.fillProfile(from: verified)
        let identities = try transaction.identities(of: account.id)
        try settleEmail(of: &account, identities, in: transaction)
        try transaction.update(account)
        guard let identity = identities.first(where: { $0.key == verified.key }) else { throw Self.missingAccount }
        return (account, identity, isNew, importedHolder)
    }

    /// Replaces the claims that are kept with an identity. Mostly they are the same as before, and up to 32 KB long: then
    /// nothing is written.
    private func keep(_ claims: JSONObject, of key: IdentityKey, in transaction: any AccountTransaction) throws {
        let bytes = claims.serialized()
        guard bytes.count <= AccountLimits.keptClaimsBytes else { throw AccountRefusal(.invalidValue) }
        let text = String(decoding: bytes, as: UTF8.self)
        guard try transaction.claims(of: key)?.hasSameBytes(as: text) != true else { return }
        try transaction.setClaims(text, of: key)
    }

    /// Returns the claims that are kept with an identity; `nil` if there are none.
    func keptClaims(of key: IdentityKey, in transaction: any AccountTransaction) throws -> JSONObject? {
        try transaction.claims(of: key).map {
            try JSONParser.object(Array($0.utf8), limits: JSONLimits(maximumBytes: AccountLimits.keptClaimsBytes))
        }
    }

    /// The identity as a further sign-in leaves it.
    private func updated(
        _ known: AccountIdentity, by request: SignInRequest, of account: AccountID,
        in transaction: any AccountTransaction, now: Int64
    ) throws -> AccountIdentity {
        var identity = known.replacing(key: request.identity.key)
        identity.update(request.identity, accessToken: request.accessToken, at: now)
        let (oldID, newID) = (known.verified.providerID, request.identity.providerID)
        guard !oldID.hasSameBytes(as: newID) else { return identity }
        // A provider may get the ID of an earlier one that still has an identity in the account.
        let others = try transaction.identities(of: account).filter { $0.key != known.key }
        if others.contains(where: { $0.verified.providerID.hasSameBytes(as: newID) }) {
            identity.verified.providerID = oldID
        } else {
            try transaction.renameProvider(oldID, to: newID, inSessionsOf: account)
        }
        return identity
    }

    private static func refusal(_ decision: SignInRules.Decision) -> AccountRefusal.Code? {
        switch decision {
        case .signIn, .create, .linkToHolder: nil
        case .needConfirmation: .needConfirmation
        case .disabled: .disabled
        case .unknown: .unknown
        case .noNewAccounts: .noNewAccounts
        case .outdated: .verificationOutdated
        }
    }

    private func signInFacts(
        _ request: SignInRequest, known: AccountIdentity?, holder: Account?, in transaction: any AccountTransaction,
        now: Int64
    ) throws -> SignInRules.Facts {
        let (verified, authTime) = (request.identity, request.authTime(at: now))
        var facts = SignInRules.Facts(
            mayCreate: request.mayCreate, makesAccounts: policy.makesAccounts, policy: policy.email,
            email: EmailClaim(verified.email, isProved: verified.isEmailProved),
            maySeekHolder: policy.linksByEmail(verified))
        if let known {
            guard let account = try transaction.account(known.account) else { throw Self.missingAccount }
            facts.known = SignInRules.Facts.Known(
                isDisabled: account.isDisabled, isOutdated: authTime < account.validSince)
        }
        if let holder {
            let identities = try transaction.identities(of: holder.id)
            let proofs = identities.map(\.verified).filter {
                $0.provedEmail != nil && $0.provedEmail == verified.email
            }
            facts.holder = SignInRules.Facts.Holder(
                isDisabled: holder.isDisabled,
                hasProved: EmailRules.isProved(verified.email, by: identities, importedWith: holder.imported),
                mayBeFound: holder.isFoundByEmail && proofs.contains(where: policy.linksByEmail),
                hasSameProvider: identities.contains {
                    $0.verified.providerID.hasSameBytes(as: verified.providerID)
                        || $0.key.issuer.hasSameBytes(as: verified.key.issuer)
                },
                isFull: identities.count >= AccountLimits.identities,
                isOutdated: authTime < holder.validSince, canBeEntered: !identities.isEmpty,
                mayBeEnteredByEmail: policy.importedUsersEnterByEmailUntil.map { now < $0 } ?? false
                    && holder.imported?.mayBeEnteredByEmail ?? false)
        }
        return facts
    }
}

extension EmailClaim {
    init(_ email: EmailAddress?, isProved: Bool) {
        self = email == nil ? .absent : isProved ? .proved : .unproved
    }
}

extension Account {
    /// Notes that the account got tokens.
    mutating func noteTokens(at now: Int64) { lastRefreshAt = max(lastRefreshAt ?? now, now) }

    /// Takes over a name and a photo where the account has none. A provider never replaces them later.
    mutating func fillProfile(from verified: VerifiedIdentity) {
        if displayName == nil { displayName = verified.displayName }
        if photoURL == nil { photoURL = verified.photoURL }
    }
}
