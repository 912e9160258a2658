// SPDX-License-Identifier: Apache-2.0

extension AccountOperations {
    /// A sign-in with a verified identity.
    public struct SignIn: Sendable, Hashable {
        /// What was verified.
        public var identity: VerifiedIdentity
        /// The time at which it was verified, in seconds since 1970.
        public var authTime: Int64
        /// Whether an account may be made.
        public var mayCreate: Bool
        /// The identifier of the account if one is made.
        public var newAccount: AccountID
        /// The session that begins.
        public var session: NewSession
        /// What the sign-in uses up; `nil` if it uses nothing up.
        public var use: SingleUse?

        public init(
            _ identity: VerifiedIdentity, authTime: Int64, mayCreate: Bool = true, newAccount: AccountID,
            session: NewSession, use: SingleUse? = nil
        ) {
            self.identity = identity
            self.authTime = authTime
            self.mayCreate = mayCreate
            self.newAccount = newAccount
            self.session = session
            self.use = use
        }
    }

    /// Signs a person in, and makes an account or links the identity where the rules say so.
    /// - Throws: ``AccountRefusal``, or an error of the store.
    public func signIn(
        _ request: SignIn, in transaction: any AccountTransaction, now: Int64
    ) throws -> SignedInAccount {
        let verified = request.identity
        let known = try transaction.identity(verified.key)
        let holder = try self.holder(of: verified, in: transaction)
        let facts = try signInFacts(request, known: known, holder: holder, in: transaction)
        let decision = SignInRules.decide(facts)
        if let refusal = Self.refusal(decision) {
            throw AccountRefusal(refusal, holder: refusal == .needConfirmation ? holder?.id : nil)
        }
        try use(request.use, in: transaction, now: now)

        var account: Account
        var isNew = false
        switch (decision, known, holder) {
        case (.signIn, let known?, _):
            guard let owner = try transaction.account(known.account) else { throw Self.missingAccount }
            account = owner
            var identity = known
            identity.update(verified, at: now)
            // A provider may get the ID that another one had, of which the account has an identity.
            let others = try transaction.identities(of: account.id).filter { $0.key != known.key }
            if others.contains(where: { $0.verified.providerID == verified.providerID }) {
                identity.verified.providerID = known.verified.providerID
            }
            try transaction.update(identity)
        case (.linkToHolder, _, let holder?):
            account = holder
            try transaction.insert(AccountIdentity(verified, of: account.id, at: now))
        case (.create(let email), _, _):
            if email == .takenFromHolder, let holder { try giveUpEmail(holder, in: transaction) }
            account = Account(id: request.newAccount, createdAt: now)
            account.email = email == .unchanged ? nil : verified.email
            account.ownsEmail = email == .owned || email == .takenFromHolder
            account.isEmailVerified = account.email != nil && verified.isEmailProved
            try transaction.insert(account)
            try transaction.insert(AccountIdentity(verified, of: account.id, at: now))
            isNew = true
        default:
            throw Self.missingAccount
        }
        account.lastSignInAt = max(account.lastSignInAt, now)
        account.fillProfile(from: verified)
        let identities = try transaction.identities(of: account.id)
        try settleEmail(of: &account, identities, in: transaction)
        try transaction.update(account)
        let session = try begin(
            request.session, of: account.id, providerID: verified.providerID, authTime: request.authTime,
            in: transaction, now: now)
        guard let identity = identities.first(where: { $0.key == verified.key }) else { throw Self.missingAccount }
        return SignedInAccount(account: account, identity: identity, session: session, isNew: isNew)
    }

    private static func refusal(_ decision: SignInRules.Decision) -> AccountRefusal.Code? {
        switch decision {
        case .signIn, .create, .linkToHolder: nil
        case .needConfirmation: .needConfirmation
        case .disabled: .disabled
        case .unknown: .unknown
        case .noNewAccounts: .noNewAccounts
        }
    }

    private func signInFacts(
        _ request: SignIn, known: AccountIdentity?, holder: Account?, in transaction: any AccountTransaction
    ) throws -> SignInRules.Facts {
        let verified = request.identity
        var facts = SignInRules.Facts(
            mayCreate: request.mayCreate, makesAccounts: policy.makesAccounts, policy: policy.email,
            email: EmailClaim(verified.email, isProved: verified.isEmailProved),
            maySeekHolder: policy.providersThatLinkByEmail.contains(verified.providerID) && !verified.isPrivateRelay)
        if let known {
            guard let account = try transaction.account(known.account) else { throw Self.missingAccount }
            facts.known = SignInRules.Facts.Known(isDisabled: account.isDisabled)
        }
        if let holder {
            let identities = try transaction.identities(of: holder.id)
            let proofs = identities.map(\.verified).filter {
                $0.provedEmail != nil && $0.provedEmail == verified.email
            }
            facts.holder = SignInRules.Facts.Holder(
                isDisabled: holder.isDisabled, hasProved: !proofs.isEmpty,
                mayBeFound: proofs.contains {
                    policy.providersThatLinkByEmail.contains($0.providerID) && !$0.isPrivateRelay
                },
                hasSameProvider: identities.contains { $0.verified.providerID == verified.providerID },
                isFull: identities.count >= AccountLimits.identities)
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
    /// Takes over a name and a photo where the account has none. A provider never replaces them later.
    mutating func fillProfile(from verified: VerifiedIdentity) {
        if displayName == nil { displayName = verified.displayName }
        if photoURL == nil { photoURL = verified.photoURL }
    }
}
