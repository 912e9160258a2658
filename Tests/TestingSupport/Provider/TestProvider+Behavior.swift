// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import OpenIDRelyingParty

extension TestProvider {
    /// What it does: as it is made, what a valid, available provider does.
    package struct Behavior: Sendable {
        // MARK: Whether and how it responds.

        /// No path responds.
        package var isDown = false
        /// These paths do not respond.
        package var deadPaths: Set<String> = []
        /// These paths respond when ``TestProvider/answerWaiting()`` is called.
        package var latePaths: Set<String> = []
        /// Responds to every request in place of all else.
        package var script: (@Sendable (ProviderRequest) -> Result<ProviderResponse, ProviderTransportError>)?
        /// Responses to every request to a path.
        package var responses: [String: Result<ProviderResponse, ProviderTransportError>] = [:]

        /// These paths refuse each request with status 400, and repeat in their words all that they were sent.
        package var echoingPaths: Set<String> = []

        // MARK: What it says of itself.

        /// Members that replace the honest ones of its metadata; null takes one out.
        package var metadata: JSONObject = [:]
        /// Whether its metadata names UserInfo, revocation and pushed requests, which it has in any case.
        package var announcesOptionalEndpoints = false
        package var announcesIssuer = true
        /// The keys it publishes instead of its own.
        package var publishedKeys: [JSONObject]?

        // MARK: Clients and grants.

        /// What it issues for any request; `nil` for grants that are bound.
        package var fixed: FixedGrant?
        /// Whether the client is one without a secret, which does not authenticate.
        package var isPublicClient = false
        package var checksProofKey = true
        /// The response to a token request with a code that it never issued; `nil` for `invalid_grant`.
        package var junkResponse: Result<ProviderResponse, ProviderTransportError>?
        /// Whether it replaces a refresh token when it is used.
        package var rotatesRefreshTokens = false
        /// Whether an ID token comes with a refresh.
        package var sendsIDTokenOnRefresh = true
        /// The status of the revocation endpoint.
        package var revocationStatus = 200
        /// Changes the responses of the token endpoint that hold tokens.
        package var changeTokenResponse: @Sendable (inout JSONObject) -> Void = { _ in }

        // MARK: ID tokens.

        /// Who signs in.
        package var person = Person.ada
        /// Whether the ID token of the token endpoint has an `at_hash`, which OpenID Connect leaves to it.
        package var hashesAccessToken = false
        /// The key that signs instead of its own.
        package var signingKey: SigningKey?
        /// The key that signs the ID token that comes with the browser, instead of the others.
        package var frontChannelKey: SigningKey?
        /// Members that replace those of the header of what it signs.
        package var header: JSONObject = [:]
        /// Claims that replace the honest ones; null takes one out.
        package var claims: JSONObject = [:]
        /// Claims that replace those of the ID token that comes with the browser; null takes one out.
        package var frontChannelClaims: JSONObject = [:]
        /// Changes the claims of an ID token that comes with the browser (true) or from the token endpoint.
        package var changeClaims: @Sendable (inout JSONObject, Bool) -> Void = { _, _ in }
        /// Makes of the signed ID token what is handed out.
        package var changeToken: @Sendable (String, Bool) throws -> String = { token, _ in token }

        // MARK: UserInfo.

        /// Whether UserInfo is signed.
        package var signsUserInfo = false
        /// Changes UserInfo.
        package var changeUserInfo: @Sendable (inout JSONObject) -> Void = { _ in }

        package init() {}
    }

    /// What it issues again and again. Any code, refresh token or client is then taken for right, and tokens belong to
    /// the sign-in that was the last.
    package struct FixedGrant: Sendable {
        package let code: String
        package let accessToken: String
        package let refreshToken: String
        /// Of a pushed request.
        package let requestURI: String

        package init(code: String, accessToken: String, refreshToken: String, requestURI: String) {
            self.code = code
            self.accessToken = accessToken
            self.refreshToken = refreshToken
            self.requestURI = requestURI
        }
    }

    /// A user with an account.
    package struct Person: Sendable {
        /// Claims of ID tokens.
        package let claims: JSONObject
        package let userInfo: JSONObject

        package init(claims: JSONObject, userInfo: JSONObject) {
            self.claims = claims
            self.userInfo = userInfo
        }

        package static let ada = Person(
            claims: [
                "sub": .string(TestProvider.subject), "email": "ada@people.example", "email_verified": true,
                "name": "Ada Lovelace", "picture": "https://people.example/ada.png",
            ],
            userInfo: ["sub": .string(TestProvider.subject)])
    }

    /// The subject of ``Person/ada``.
    package static let subject = "ada-at-the-provider"
}
