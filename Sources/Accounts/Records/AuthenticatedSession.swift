// SPDX-License-Identifier: Apache-2.0

/// A session that a client has proved to be its own, with an ID token of it or with its refresh token. The identifier
/// alone proves nothing, since every token of the session carries it.
///
/// It says nothing about whether the session still exists: each operation looks that up in its transaction.
public struct AuthenticatedSession: Sendable, Hashable {
    /// The identifier of the session.
    public let id: AccountSession.ID
    /// The account that the token names.
    public let account: AccountID

    package init(_ id: AccountSession.ID, of account: AccountID) {
        self.id = id
        self.account = account
    }

    package init(_ session: AccountSession) {
        self.init(session.id, of: session.account)
    }
}
