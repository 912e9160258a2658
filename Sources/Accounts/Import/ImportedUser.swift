// SPDX-License-Identifier: Apache-2.0

/// A user of another system, as an account would be made of it.
package struct ImportedUser: Sendable, Hashable {
    /// The account, with its record, and the email whether or not it is free.
    package var account: Account
    /// The identities that can sign in.
    package var identities: [VerifiedIdentity]
    /// The last sign-in there, in seconds since 1970; `nil` if there was none, or it is not known.
    package var lastSignInAt: Int64?
    /// Whether the user has a second factor.
    package var hasSecondFactor = false

    /// Creates a user.
    package init(_ account: Account, identities: [VerifiedIdentity]) {
        self.account = account
        self.identities = identities
    }
}

/// What may be done with users of another system that are here already.
package struct ImportChoices: Sendable, Hashable {
    /// Whether an account that has the same identity gets the identifier of the user.
    package var adopts = false
    /// Whether a user who was imported before is changed where nothing was changed here.
    package var updates = false
    /// Whether users with a second factor are taken, who sign in without it then.
    package var takesSecondFactors = false
    /// Whether nothing is written.
    package var isDryRun = false

    /// Creates the choices of an import that only adds.
    package init() {}
}

/// What became of a user.
package enum ImportOutcome: Sendable, Hashable {
    /// There is a new account.
    case added
    /// The account was imported before, and stays as it is.
    case unchanged
    /// The account was imported before, and was changed.
    case updated
    /// The account that had the identity has the identifier of the user now.
    case adopted(AccountID)
    /// Another account is in the way, and nothing was changed.
    case conflict(ImportConflict, AccountID)
    /// The user has a second factor.
    case hasSecondFactor
}

/// What an account that is here has in common with a user.
package enum ImportConflict: String, Sendable, Hashable, CaseIterable {
    /// The identifier.
    case uid
    /// An identity.
    case identity
    /// The email, which both have proved.
    case address
}
