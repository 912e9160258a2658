// SPDX-License-Identifier: Apache-2.0

/// An operation of the server, by its path. The first segment is the host that Firebase's SDKs call for it.
enum AccountOperation: String, Sendable, CaseIterable {
    /// Signs in, links or re-authenticates.
    case signIn = "/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp"
    /// Returns the account of a session.
    case lookup = "/identitytoolkit.googleapis.com/v1/accounts:lookup"
    /// Changes the name and the photo, and unlinks providers.
    case update = "/identitytoolkit.googleapis.com/v1/accounts:update"
    /// Deletes the account of a session.
    case delete = "/identitytoolkit.googleapis.com/v1/accounts:delete"
    /// Revokes a user's grant at Apple.
    case revokeToken = "/identitytoolkit.googleapis.com/v2/accounts:revokeToken"
    /// Makes a new ID token for a refresh token.
    case token = "/securetoken.googleapis.com/v1/token"
}
