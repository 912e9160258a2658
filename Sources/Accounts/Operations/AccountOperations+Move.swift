// SPDX-License-Identifier: Apache-2.0

import JOSE

extension AccountOperations {
    /// Moves an identity to another account, such as an imported one without a way to sign in. The sessions that began
    /// with it end. The account that had it stays, also without any identity.
    /// - Parameters:
    ///   - providerID: The provider of the identity.
    ///   - source: The account that has it.
    ///   - destination: The account that gets it.
    ///   - transaction: The primitives of a transaction that writes.
    /// - Throws: ``AccountRefusal``, with the code ``AccountRefusal/Code/unknown`` if one of the accounts or the identity is
    ///   not there; or an error of the store.
    package func moveIdentity(
        at providerID: String, from source: AccountID, to destination: AccountID,
        in transaction: any AccountTransaction
    ) throws {
        guard var former = try transaction.account(source), var next = try transaction.account(destination) else {
            throw AccountRefusal(.unknown)
        }
        var remaining = try transaction.identities(of: source)
        guard let position = remaining.firstIndex(where: { $0.verified.providerID.hasSameBytes(as: providerID) }) else {
            throw AccountRefusal(.unknown)
        }
        let known = remaining.remove(at: position)
        var others = try transaction.identities(of: destination)
        // One that waits for its user gives way: the operator who moves an identity here confirms that it belongs to
        // the same user.
        let waiting = others.first { $0.key.isEntraObject && $0.verified.providerID.hasSameBytes(as: providerID) }
        others.removeAll { $0.key == waiting?.key }
        guard source != destination, !others.contains(where: { $0.verified.providerID.hasSameBytes(as: providerID) })
        else { throw AccountRefusal(.alreadyLinked) }
        guard others.count < AccountLimits.identities else { throw AccountRefusal(.tooManyIdentities) }

        try transaction.remove(known.key)
        try transaction.removeSessions(of: source, begunWith: providerID, except: nil)
        former.isFoundByEmail = false
        let rest = former.imported?.setRest(nil, of: providerID)
        try settleEmail(of: &former, remaining, in: transaction)
        try transaction.update(former)

        let moved = known.replacing(account: destination)
        if let waiting { try transaction.remove(waiting.key) }
        try transaction.insert(moved)
        next.imported?.noteEntry()
        if waiting == nil { next.imported?.setRest(rest, of: providerID) }
        next.fillProfile(from: known.verified)
        try settleEmail(of: &next, others + [moved], in: transaction)
        try transaction.update(next)
    }

    /// Replaces the subject of an identity, as where a provider gave its users new ones. The sessions that began with the
    /// former one end, and its owner does not enter the account any more.
    /// - Parameters:
    ///   - providerID: The provider of the identity.
    ///   - id: The account that has it.
    ///   - subject: The new subject.
    ///   - transaction: The primitives of a transaction that writes.
    /// - Throws: ``AccountRefusal``, with the code ``AccountRefusal/Code/unknown`` if the account or the identity is not
    ///   there, and ``AccountRefusal/Code/belongsToAnother`` if an account has the new subject; or an error of the store.
    package func replaceSubject(
        at providerID: String, of id: AccountID, by subject: String, in transaction: any AccountTransaction
    ) throws {
        let identities = try transaction.identities(of: id)
        guard let known = identities.first(where: { $0.verified.providerID.hasSameBytes(as: providerID) }) else {
            throw AccountRefusal(.unknown)
        }
        let former = known.verified
        // One that waits for its user by an object id has no subject that could be replaced.
        guard !former.key.isEntraObject else { throw AccountRefusal(.unknown) }
        let key = IdentityKey(issuer: former.key.issuer, subject: subject)
        guard try transaction.identity(key) == nil else { throw AccountRefusal(.belongsToAnother) }
        try transaction.remove(former.key)
        try transaction.removeSessions(of: id, begunWith: providerID, except: nil)
        var replaced = AccountIdentity(
            VerifiedIdentity(
                key, providerID: former.providerID, email: former.email, isEmailProved: former.isEmailProved,
                isPrivateRelay: former.isPrivateRelay, displayName: former.displayName, photoURL: former.photoURL),
            of: id, at: known.createdAt)
        replaced.lastUsedAt = known.lastUsedAt
        try transaction.insert(replaced)
        // What was imported with the former subject is not the new one's.
        if var account = try transaction.account(id), account.imported != nil {
            account.imported?.setRest(nil, of: providerID)
            try transaction.update(account)
        }
    }
}
