// SPDX-License-Identifier: Apache-2.0

import JOSE

extension AccountOperations {
    /// A request to link a verified identity to the account of a session.
    public struct Link: Sendable, Hashable {
        /// What was verified.
        public var identity: VerifiedIdentity
        /// The session that asks.
        public var asking: AuthenticatedSession
        /// The session that begins. It keeps the time of authentication of the one that asks, since the new identity
        /// proves nothing about the owner of the account.
        public var session: NewSession
        /// What linking uses up: all of it, or nothing if linking is refused.
        public var uses: [TokenUse]
        /// The access token of the provider that is handed out; `nil` if there is none.
        public var accessToken: AccountIdentity.HandedOutToken?

        /// Creates a request.
        public init(
            _ identity: VerifiedIdentity, asking: AuthenticatedSession, session: NewSession, uses: [TokenUse] = [],
            accessToken: AccountIdentity.HandedOutToken? = nil
        ) {
            self.identity = identity
            self.asking = asking
            self.session = session
            self.uses = uses
            self.accessToken = accessToken
        }
    }

    /// Links an identity to the account of a session.
    /// - Throws: ``AccountRefusal``, or an error of the store.
    public func link(_ request: Link, in transaction: any AccountTransaction, now: Int64) throws -> SignedInAccount {
        let verified = request.identity
        let asking = try live(request.asking, in: transaction, now: now)
        try requireRecentSignIn(for: .link, asking.session, now: now)
        var account = asking.account
        let known = try transaction.identity(verified.key)
        let identities = try transaction.identities(of: account.id)
        var holder = try self.holder(of: verified, in: transaction)
        if holder?.id == account.id { holder = nil }
        let holders = try holder.map { try transaction.identities(of: $0.id) } ?? []
        let decision = LinkRules.decide(
            LinkRules.Facts(
                owner: known.map { $0.account == account.id ? .sameAccount : .anotherAccount } ?? .none,
                hasSameProvider: identities.contains {
                    $0.verified.providerID.hasSameBytes(as: verified.providerID)
                },
                isFull: identities.count >= AccountLimits.identities, policy: policy.email,
                email: EmailClaim(verified.email, isProved: verified.isEmailProved), hasEmail: account.email != nil,
                holder: EmailClaim(
                    holder?.email, isProved: EmailRules.isProved(verified.email, by: holders))))
        let email: AccountEmail
        switch decision {
        case .link(let chosen): email = chosen
        case .belongsToAnother: throw AccountRefusal(.belongsToAnother)
        case .alreadyLinked: throw AccountRefusal(.alreadyLinked)
        case .emailBelongsToAnother: throw AccountRefusal(.emailBelongsToAnother)
        case .tooMany: throw AccountRefusal(.tooManyIdentities)
        }
        try use(request.uses, in: transaction, now: now)

        if email == .takenFromHolder, let holder { try giveUpEmail(holder, in: transaction) }
        if email != .unchanged {
            account.email = verified.email
            account.ownsEmail = email != .shared
        }
        let identity = AccountIdentity(verified, of: account.id, at: now, accessToken: request.accessToken)
        try transaction.insert(identity)
        account.fillProfile(from: verified)
        try settleEmail(of: &account, transaction.identities(of: account.id), in: transaction)
        try transaction.update(account)
        let session = try begin(
            request.session, of: account.id, providerID: asking.session.providerID,
            authTime: asking.session.authTime, in: transaction, now: now)
        return SignedInAccount(account: account, identity: identity, session: session, isNew: false)
    }
}
