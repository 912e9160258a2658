// SPDX-License-Identifier: Apache-2.0

//! The relying party without the broker. In the page OpenIDRelyingParty.
// snippet.hide

import NIOCore
import OpenIDConnect
import OpenIDRelyingParty

func signIn(secret: String, query: String, accessToken: Secret, refreshToken: Secret, on group: any EventLoopGroup)
    async throws
{
    // snippet.show
    let transport = AsyncHTTPClientTransport(eventLoopGroup: group)
    let provider = RelyingParty(
        configuration: ProviderConfiguration(
            issuer: "https://id.example.com", clientID: "web", clientSecret: Secret(secret),
            redirectURI: "https://app.example.com/callback"),
        transport: transport)

    let start = try await provider.begin(using: group)
    // Keep `start.pending` in the browser's session and redirect it to `start.url`. When the browser is back:
    let signIn = try await provider.complete(authorizationResponse: query, pending: start.pending, using: group)
    print(signIn.issuer, signIn.subject)
    // snippet.hide

    // snippet.show
    let claims = try await provider.userInfo(accessToken: accessToken, subject: signIn.subject, using: group)
    let tokens = try await provider.refresh(refreshToken, issuer: signIn.issuer, subject: signIn.subject, using: group)
    try await provider.revoke(refreshToken, hint: .refreshToken, using: group)
    // snippet.hide
    _ = (claims, tokens)
}
