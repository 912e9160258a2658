// SPDX-License-Identifier: Apache-2.0

// The bodies of requests. Members that are `nil` are left out.

/// A request to sign in, to link or to re-authenticate.
struct SignInRequest: Encodable, Sendable {
    let requestUri: String
    let sessionId: String?
    let returnSecureToken = true
    let returnIdpCredential = true
    let postBody: String?
    let pendingToken: String?
    /// The ID token of the session to which the identity is linked; `nil` for a sign-in.
    let idToken: String?
    /// False if no account may be made; `nil` if one may.
    let autoCreate: Bool?

    init(_ credential: Credential, linkingTo idToken: String? = nil, mayCreate: Bool = true) {
        requestUri = credential.ticket?.url.exposed ?? "http://localhost"
        sessionId = credential.ticket?.sessionID.exposed
        postBody = credential.postBody
        pendingToken = credential.pendingToken
        self.idToken = idToken
        autoCreate = mayCreate ? nil : false
    }
}

/// A request for the account of a session.
struct LookupRequest: Encodable, Sendable {
    let idToken: String
}

/// A request to change the name and the photo, and to unlink providers. An empty text clears.
struct UpdateRequest: Encodable, Sendable {
    let idToken: String
    var displayName: String?
    var photoUrl: String?
    var deleteProvider: [String]?
}

/// A request to delete the account of a session.
struct DeleteRequest: Encodable, Sendable {
    let idToken: String
    let localId: String
}

/// A request to revoke a user's grant at Apple by an authorization code.
struct RevokeTokenRequest: Encodable, Sendable {
    let providerId = Credential.appleProviderID
    let tokenType = "CODE"
    let token: String
    let idToken: String
}

/// A request for a new ID token.
struct TokenRequest: Encodable, Sendable {
    let grantType = "refresh_token"
    let refreshToken: String
}
