// SPDX-License-Identifier: Apache-2.0

import JOSE

extension AccountOperations {
    /// Removes the identity of a provider from the account of a session, and ends the sessions that began with it but for
    /// the one that asks. From then on no identity is linked to the account by its email alone. Nothing happens if there
    /// is no such identity.
    /// - Returns: The account and its remaining identities.
    /// - Throws: ``AccountRefusal``, or an error of the store.
    package func unlink(
        providerID: String, asking: AuthenticatedSession, in transaction: any AccountTransaction, now: Int64
    ) throws -> (account: Account, identities: [AccountIdentity]) {
        let asking = try live(asking, in: transaction, now: now)
        try requireRecentSignIn(for: .unlink, asking.session, now: now)
        var account = asking.account
        let identities = try transaction.identities(of: account.id)
        let parts = try Self.parts(of: identities, removing: [providerID])
        guard !parts.removed.isEmpty else { return (account, identities) }
        try remove(parts, from: &account, except: asking.session.id, in: transaction)
        try transaction.update(account)
        return (account, parts.remaining)
    }

    // MARK: Parts

    /// The identities of an account that are removed, and those that remain.
    typealias UnlinkedParts = (removed: [AccountIdentity], remaining: [AccountIdentity])

    /// Divides the identities of an account by the IDs of the providers that are removed from it, one after another.
    /// - Throws: ``AccountRefusal`` if none would remain.
    static func parts(
        of identities: [AccountIdentity], removing providers: [String]
    ) throws(AccountRefusal) -> UnlinkedParts {
        var parts: UnlinkedParts = (removed: [], remaining: identities)
        for provider in providers {
            // The name comes from a client.
            let position = parts.remaining.firstIndex { $0.verified.providerID.hasSameBytes(as: provider) }
            switch (UnlinkRules.decide(isLinked: position != nil, count: parts.remaining.count), position) {
            case (.isLast, _): throw AccountRefusal(.lastIdentity)
            case (.remove, let position?):
                let identity = parts.remaining.remove(at: position)
                parts.removed.append(identity)
            default: break
            }
        }
        return parts
    }

    /// Removes identities from an account, with the sessions that began with them. The account is not written.
    /// - Parameter kept: A session that stays; `nil` if none does.
    func remove(
        _ parts: UnlinkedParts, from account: inout Account, except kept: AccountSession.ID?,
        in transaction: any AccountTransaction
    ) throws {
        for identity in parts.removed {
            try transaction.remove(identity.key)
            try transaction.removeSessions(of: account.id, begunWith: identity.verified.providerID, except: kept)
            account.imported?.setRest(nil, of: identity.verified.providerID)
        }
        account.isFoundByEmail = false
        try settleEmail(of: &account, parts.remaining, in: transaction)
    }
}
