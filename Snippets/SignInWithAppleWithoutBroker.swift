// SPDX-License-Identifier: Apache-2.0

//! Sign in with Apple without the broker. In the pages SignInWithApple and SettingUpSignInWithApple.
// snippet.hide

import NIOCore
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple

func signIn(p8: String, form: String, on group: any EventLoopGroup) async throws -> RelyingParty {
    // snippet.show
    let key = try AppleKey(teamID: "ABCDE12345", keyID: "FGHIJ67890", privateKey: Secret(p8))
    let apple = RelyingParty(
        configuration: .apple(
            clientID: "com.example.web",
            redirectURI: "https://app.example.com/callback",
            clientSecret: AppleClientSecret(key)),
        transport: AsyncHTTPClientTransport(eventLoopGroup: group))

    let start = try await apple.begin(using: group)
    // Keep `start.pending` in the browser's session and redirect it to `start.url`. Apple posts a form back:
    let signIn = try await apple.complete(authorizationResponse: form, pending: start.pending, using: group)
    let claims = AppleClaims(signIn.claims)
    // snippet.hide
    _ = claims
    return apple
}

func endSessions(of subject: String?) async throws {}

func setMail(of subject: String?, to kind: AppleNotification.Kind) async throws {}

func notify(_ apple: RelyingParty, body: [UInt8], on group: any EventLoopGroup) async throws {
    // snippet.show
    let notification = try await apple.appleNotification(
        body: body, nativeAudiences: ["com.example.app"], using: group)
    switch notification.kind {
    case .accountDeleted, .consentRevoked: try await endSessions(of: notification.subject)
    case .emailDisabled, .emailEnabled: try await setMail(of: notification.subject, to: notification.kind)
    case .unknown: break
    }
    // snippet.hide
}

/// What the block below uses of Apple's AuthenticationServices.
struct AuthorizationAppleIDRequest {
    enum Scope { case fullName, email }
    var nonce: String?
    var requestedScopes: [Scope]?
}

func request(_ randomText: () -> String, _ sha256Hexadecimal: (String) -> String) -> AuthorizationAppleIDRequest {
    var request = AuthorizationAppleIDRequest()
    // snippet.show
    let raw = randomText()  // 32 random bytes, as text
    request.nonce = sha256Hexadecimal(raw)  // ASAuthorizationAppleIDRequest
    request.requestedScopes = [.fullName, .email]
    // … then POST to /__/auth/credential:
    // provider, id_token, authorization_code, raw_nonce, user
    // snippet.hide
    return request
}
