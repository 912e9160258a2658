// SPDX-License-Identifier: Apache-2.0

// What an operator does with an account, without a session of it.
extension AccountOperations {
    /// Changes an account: all of it, or nothing if a part is refused.
    /// - Returns: The account and its remaining identities.
    /// - Throws: ``AccountRefusal``, with the code ``AccountRefusal/Code/unknown`` if there is no such account; or an
    ///   error of the store.
    package func update(
        _ id: AccountID, by change: AccountChange, in transaction: any AccountTransaction, now: Int64
    ) throws -> (account: Account, identities: [AccountIdentity]) {
        guard var account = try transaction.account(id) else { throw AccountRefusal(.unknown) }
        account.displayName = change.displayName.applied(to: account.displayName)
        account.photoURL = change.photoURL.applied(to: account.photoURL)
        guard account.displayName.map(Account.isDisplayName) ?? true, account.photoURL.map(Account.isPhotoURL) ?? true
        else {
            throw AccountRefusal(.invalidValue)
        }
        let parts = try Self.parts(of: transaction.identities(of: id), removing: change.deletedProviders)
        switch change.customClaims {
        case .keep: break
        case .clear: account.customClaims = nil
        case .set(let claims): account.customClaims = claims
        }
        if let isDisabled = change.isDisabled { account.isDisabled = isDisabled }
        if !parts.removed.isEmpty { try remove(parts, from: &account, except: nil, in: transaction) }
        if let time = change.validSince {
            try endSessions(of: &account, begunUntil: time, in: transaction, now: now)
        }
        try transaction.update(account)
        return (account, parts.remaining)
    }

    /// Deletes an account with its identities and its sessions, however long ago the last sign-in was.
    /// - Throws: ``AccountRefusal`` if there is no such account, or an error of the store.
    package func delete(_ id: AccountID, in transaction: any AccountTransaction) throws {
        guard try transaction.account(id) != nil else { throw AccountRefusal(.unknown) }
        try transaction.remove(id)
    }

    /// What became of one account of several that were to be deleted.
    package enum BatchDeletion: Sendable, Hashable {
        /// It is deleted.
        case deleted
        /// There was none.
        case absent
        /// It is still there, since it is not disabled.
        case notDisabled
    }

    /// Deletes an account like ``delete(_:in:)``, one of several.
    /// - Parameters:
    ///   - id: The account.
    ///   - isForced: Whether it is deleted also if it is not disabled.
    ///   - transaction: The primitives of a transaction that writes.
    /// - Throws: An error of the store.
    package func deleteOfBatch(
        _ id: AccountID, isForced: Bool, in transaction: any AccountTransaction
    ) throws -> BatchDeletion {
        guard let account = try transaction.account(id) else { return .absent }
        guard isForced || account.isDisabled else { return .notDisabled }
        try transaction.remove(id)
        return .deleted
    }
}
