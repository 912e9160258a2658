// SPDX-License-Identifier: Apache-2.0

extension AccountOperations {
    /// Changes the name and the photo of the account of a session, and removes identities of it as
    /// ``unlink(providerID:asking:in:now:)`` does: all of it, or nothing if a part is refused.
    /// - Parameters:
    ///   - displayName: The name. An empty text clears it.
    ///   - photoURL: The address of a photo. An empty text clears it.
    ///   - providers: The IDs of the providers whose identities are removed. However many there are, the records are
    ///     read once.
    ///   - asking: The session that asks.
    ///   - transaction: The primitives of a transaction that writes.
    ///   - now: The current time, in seconds since 1970.
    /// - Returns: The account and its remaining identities.
    /// - Throws: ``AccountRefusal``, or an error of the store.
    package func update(
        displayName: AttributeChange = .keep, photoURL: AttributeChange = .keep, unlinking providers: [String] = [],
        asking: AuthenticatedSession, in transaction: any AccountTransaction, now: Int64
    ) throws -> (account: Account, identities: [AccountIdentity]) {
        let asking = try live(asking, in: transaction, now: now)
        var account = asking.account
        account.displayName = displayName.applied(to: account.displayName)
        account.photoURL = photoURL.applied(to: account.photoURL)
        guard account.displayName.map(Account.isDisplayName) ?? true, account.photoURL.map(Account.isPhotoURL) ?? true
        else {
            throw AccountRefusal(.invalidValue)
        }
        if !providers.isEmpty { try requireRecentSignIn(for: .unlink, asking.session, now: now) }
        let parts = try Self.parts(of: transaction.identities(of: account.id), removing: providers)
        if !parts.removed.isEmpty { try remove(parts, from: &account, except: asking.session.id, in: transaction) }
        try transaction.update(account)
        return (account, parts.remaining)
    }

    /// Deletes the account of a session with its identities and its sessions, if the last sign-in is recent.
    /// - Throws: ``AccountRefusal``, or an error of the store.
    package func delete(asking: AuthenticatedSession, in transaction: any AccountTransaction, now: Int64) throws {
        let (session, account) = try live(asking, in: transaction, now: now)
        try requireRecentSignIn(for: .delete, session, now: now)
        try transaction.remove(account.id)
    }

    /// Disables or enables an account. A disabled account allows no sign-in and no refresh.
    /// - Throws: ``AccountRefusal`` if there is no such account, or an error of the store.
    package func setDisabled(_ isDisabled: Bool, _ id: AccountID, in transaction: any AccountTransaction) throws {
        guard var account = try transaction.account(id) else { throw AccountRefusal(.unknown) }
        account.isDisabled = isDisabled
        try transaction.update(account)
    }
}
