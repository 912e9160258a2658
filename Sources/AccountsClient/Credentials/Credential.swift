// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Proof of who the user is, for the server: an ID token of a provider, the result of a sign-in in a browser (see
/// ``OAuthProvider``), or a credential that the server returned with an error. Descriptions show no token.
public struct Credential: Sendable, Hashable {
    /// The ID of Apple.
    static let appleProviderID = "apple.com"

    /// An ID token with what stands beside it.
    struct ProviderToken: Sendable, Hashable {
        let idToken: HiddenText
        let rawNonce: HiddenText?
        let accessToken: HiddenText?
        /// The name of the user as JSON, which Apple gives an app once.
        let user: HiddenText?
    }

    /// The result of a sign-in in a browser.
    struct Ticket: Sendable, Hashable {
        let url: HiddenText
        /// What the ticket is bound to.
        let sessionID: HiddenText
    }

    enum Content: Sendable, Hashable {
        case token(ProviderToken)
        case pending(HiddenText)
        case ticket(Ticket)
    }

    /// The ID of the provider, such as `apple.com` or `oidc.acme`.
    public let providerID: String
    let content: Content

    private init(providerID: String, token: ProviderToken) {
        self.providerID = providerID
        content = .token(token)
    }

    /// Creates the credential that the server handed out.
    init(providerID: String, pendingToken: String) {
        self.providerID = providerID
        content = .pending(HiddenText(pendingToken))
    }

    /// Creates the credential of a sign-in in a browser.
    init(providerID: String, ticket url: String, sessionID: HiddenText) {
        self.providerID = providerID
        content = .ticket(Ticket(url: HiddenText(url), sessionID: sessionID))
    }

    /// A credential of Sign in with Apple.
    ///
    /// - Parameters:
    ///   - idToken: The `identityToken` of the authorization, as text.
    ///   - rawNonce: The nonce whose SHA-256 in lower-case hexadecimal was the `nonce` of the request to Apple.
    ///   - fullName: The `fullName` of the authorization. Apple gives it once, so pass it whenever there is one.
    public static func apple(
        idToken: String, rawNonce: String, fullName: PersonNameComponents? = nil
    ) -> Credential {
        Credential(
            providerID: appleProviderID,
            token: ProviderToken(
                idToken: HiddenText(idToken), rawNonce: HiddenText(rawNonce), accessToken: nil,
                user: fullName.flatMap { AppleUser($0) }?.json))
    }

    /// A credential of any OpenID Provider.
    ///
    /// - Parameters:
    ///   - providerID: The ID of the provider at the server.
    ///   - idToken: The ID token, whose audience is the client ID of this app at the provider.
    ///   - rawNonce: The nonce whose SHA-256 in lower-case hexadecimal is the `nonce` of the ID token; `nil` if the
    ///     token has none.
    ///   - accessToken: The access token that came with the ID token; `nil` if there is none. It counts only if the ID
    ///     token has its hash.
    public static func openID(
        providerID: String, idToken: String, rawNonce: String? = nil, accessToken: String? = nil
    ) -> Credential {
        Credential(
            providerID: providerID,
            token: ProviderToken(
                idToken: HiddenText(idToken), rawNonce: rawNonce.map { HiddenText($0) },
                accessToken: accessToken.map { HiddenText($0) }, user: nil))
    }
}
