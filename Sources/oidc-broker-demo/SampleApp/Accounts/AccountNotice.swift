// SPDX-License-Identifier: Apache-2.0

/// What came of the last action on the page "Your account".
enum AccountNotice: Sendable {
    /// The user was signed in.
    case signedIn(isNew: Bool)
    /// The user signed in once more, without signing out.
    case signedInAgain
    /// A provider was linked.
    case linked(DemoProvider)
    /// A provider was unlinked.
    case unlinked(DemoProvider)
    /// There is a new ID token.
    case refreshed
    /// The user was signed out.
    case signedOut
    /// The account was deleted.
    case deleted(SignInReport)
    /// It did not work.
    case failed(AccountsWireError)
}
