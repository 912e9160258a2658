// SPDX-License-Identifier: Apache-2.0

/// An operation of the wire that the Firebase SDKs speak.
enum ToolkitOperation: Sendable, Hashable, CaseIterable {
    /// Signs a user in, links an identity, or re-authenticates.
    case signInWithIdp
    /// Returns the account of a session.
    case lookup
    /// Changes the name and the photo, and removes identities.
    case update
    /// Deletes the account of a session.
    case delete
    /// Asks how the owner of an email signs in, which is never told.
    case createAuthUri
    /// Returns the project and its domains.
    case project
    /// Revokes a user's grant at Apple.
    case revokeToken
    /// Makes a new ID token for a refresh token.
    case token
    /// Something else that the SDKs know, such as a sign-in with a password. An app gets a code that it can show.
    case unsupported
}
