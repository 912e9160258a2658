// SPDX-License-Identifier: Apache-2.0

/// Which email an account shows.
enum EmailRules {
    /// Returns the email that an account moves to when the one that it showed is gone: the proved one of the identity that
    /// was linked first and whose email no other account has; `nil` if there is none.
    /// - Parameters:
    ///   - identities: The identities of the account, the first linked first.
    ///   - isFree: Whether no other account has an email.
    static func successor(
        among identities: [AccountIdentity], isFree: (EmailAddress) throws -> Bool
    ) rethrows -> EmailAddress? {
        for identity in identities {
            if let email = identity.verified.provedEmail, try isFree(email) { return email }
        }
        return nil
    }

    /// Returns whether one of the identities of an account has proved an email, or the system from which the account was
    /// imported had verified it and no identity proves another one.
    static func isProved(
        _ email: EmailAddress?, by identities: [AccountIdentity], importedWith record: ImportedRecord? = nil
    ) -> Bool {
        guard let email else { return false }
        return identities.contains { $0.verified.provedEmail == email }
            || record?.proves(email, beside: identities) ?? false
    }
}
