// SPDX-License-Identifier: Apache-2.0

import JOSE

extension AccountOperations {
    /// A change of one attribute.
    public enum Change: Sendable, Hashable {
        case keep
        case clear
        case set(String)

        func applied(to value: String?) -> String? {
            switch self {
            case .keep: value
            case .clear: nil
            case .set(let text): text.isEmpty ? nil : text
            }
        }
    }

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
    public func update(
        displayName: Change = .keep, photoURL: Change = .keep, unlinking providers: [String] = [],
        asking: AuthenticatedSession, in transaction: any AccountTransaction, now: Int64
    ) throws -> (account: Account, identities: [AccountIdentity]) {
        let asking = try live(asking, in: transaction, now: now)
        var account = asking.account
        account.displayName = displayName.applied(to: account.displayName)
        account.photoURL = photoURL.applied(to: account.photoURL)
        guard account.displayName.map(Self.isDisplayName) ?? true, account.photoURL.map(Self.isPhotoURL) ?? true else {
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
    public func delete(asking: AuthenticatedSession, in transaction: any AccountTransaction, now: Int64) throws {
        let (session, account) = try live(asking, in: transaction, now: now)
        try requireRecentSignIn(for: .delete, session, now: now)
        try transaction.remove(account.id)
    }

    /// Disables or enables an account. A disabled account signs nobody in and refreshes nothing.
    /// - Throws: ``AccountRefusal`` if there is no such account, or an error of the store.
    public func setDisabled(_ isDisabled: Bool, _ id: AccountID, in transaction: any AccountTransaction) throws {
        guard var account = try transaction.account(id) else { throw AccountRefusal(.unknown) }
        account.isDisabled = isDisabled
        try transaction.update(account)
    }

    /// Gives an account claims, or takes them away.
    /// - Throws: ``AccountRefusal`` if there is no such account, or an error of the store.
    public func setCustomClaims(_ claims: CustomClaims?, _ id: AccountID, in transaction: any AccountTransaction) throws
    {
        guard var account = try transaction.account(id) else { throw AccountRefusal(.unknown) }
        account.customClaims = claims
        try transaction.update(account)
    }

    /// Whether a text may be a name: short, without control and bidirectional characters.
    public static func isDisplayName(_ text: String) -> Bool {
        // A scalar has at most four bytes, so a longer text is refused without looking at it.
        guard !text.isEmpty, text.utf8.count <= 4 * AccountLimits.displayNameScalars,
            text.unicodeScalars.count <= AccountLimits.displayNameScalars
        else { return false }
        return text.unicodeScalars.allSatisfy { !$0.isControl }
    }

    /// Whether a text may be the address of a photo: https, and printable ASCII.
    public static func isPhotoURL(_ text: String) -> Bool {
        guard let text = WireText(text).visibleASCII(atMost: AccountLimits.photoURLBytes) else { return false }
        let scheme = "https://"
        return text.utf8.count > scheme.utf8.count
            && text.utf8.prefix(scheme.utf8.count).map { $0 | 0x20 }.elementsEqual(scheme.utf8.map { $0 | 0x20 })
    }
}
