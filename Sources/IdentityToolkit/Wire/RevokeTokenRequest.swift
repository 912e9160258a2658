// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A request to revoke a user's grant at Apple.
struct RevokeTokenRequest: Sendable {
    /// What a token is, in the order of the indices that some SDKs send.
    private enum TokenType: String, RegisteredName {
        case unspecified = "TOKEN_TYPE_UNSPECIFIED"
        case refreshToken = "REFRESH_TOKEN"
        case accessToken = "ACCESS_TOKEN"
        case code = "CODE"
    }

    /// What proves that the client may revoke the grant.
    enum Token: Sendable {
        /// An authorization code of a sign-in a moment ago.
        case code(String)
        /// An access token that was handed out.
        case accessToken(String)
    }

    /// The maximum length of a token, in bytes.
    static let longestToken = 16_384
    /// The maximum length of `redirectUri`, in bytes.
    static let longestRedirectURI = 2048

    /// The ID of the provider.
    let providerID: String
    /// The token.
    let token: Token
    /// The ID token of the session that asks.
    let idToken: String
    /// The redirect URI with which the code was issued; `nil` if the client says nothing, as on Apple's systems.
    let redirectURI: String?

    init(_ body: ToolkitBody) throws(ToolkitError) {
        try body.refuseTenant()
        idToken = try body.requiredSessionToken()
        guard
            let providerID = try body.text(.providerId)?.visibleASCII(
                atMost: SignInWithIdpRequest.longestProviderID)
        else { throw ToolkitError(.invalidProviderID) }
        self.providerID = providerID
        let type = try body.choice(.tokenType, of: TokenType.self) ?? .unspecified
        guard type != .refreshToken else {
            throw ToolkitError(
                .operationNotAllowed, "No refresh token of a provider is handed out. Send an authorization code.")
        }
        guard let token = try body.text(.token) else { throw ToolkitError(.invalidArgument, "Send token.") }
        guard let text = token.visibleASCII(atMost: Self.longestToken) else {
            throw ToolkitError(.invalidIdpResponse, "token has characters that no token has.")
        }
        switch type {
        case .code: self.token = .code(text)
        case .accessToken: self.token = .accessToken(text)
        case .unspecified, .refreshToken:
            throw ToolkitError(.invalidArgument, "tokenType must be CODE or ACCESS_TOKEN.")
        }
        let redirectURI = try body.text(.redirectUri)
        self.redirectURI = redirectURI?.visibleASCII(atMost: Self.longestRedirectURI)
        guard (redirectURI == nil) == (self.redirectURI == nil) else {
            throw ToolkitError(.invalidArgument, "redirectUri must be a URL.")
        }
    }
}
