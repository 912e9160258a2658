// SPDX-License-Identifier: Apache-2.0

/// What an account is looked for by.
package enum AccountSearchKey: Sendable, Hashable {
    /// Its identifier.
    case id(AccountID)
    /// Its email. Only under the policy ``EmailPolicy/unique`` an email names one account.
    case email(EmailAddress)
    /// One of its identities.
    case identity(IdentityKey)
}
