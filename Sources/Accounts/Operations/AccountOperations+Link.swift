// SPDX-License-Identifier: Apache-2.0

import JOSE

extension AccountOperations {
    /// Links an identity to the account of a session.
    /// - Throws: ``AccountRefusal``, or an error of the store.
    package func link(
        _ request: LinkRequest, session: NewSession, in transaction: any AccountTransaction, now: Int64
    ) throws -> SignedInAccount {
        let verified = request.identity
        let asking = try live(request.asking, in: transaction, now: now)
        try requireRecentSignIn(for: .link, asking.session, now: now)
        var account = asking.account
        let known = try identity(of: verified, in: transaction)
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
                    holder?.email,
                    isProved: EmailRules.isProved(
                        verified.email, by: holders, importedWith: holder?.imported)),
                canHolderBeEntered: !holders.isEmpty))
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
        account.noteTokens(at: now)
        try settleEmail(of: &account, transaction.identities(of: account.id), in: transaction)
        try transaction.update(account)
        let session = try begin(
            session, of: account.id, app: request.app, providerID: asking.session.providerID,
            providerSession: asking.session.providerSession, authTime: asking.session.authTime, in: transaction,
            now: now)
        return SignedInAccount(account: account, identity: identity, session: session, isNew: false)
    }
}
