// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import Testing
import TestingSupport

@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// The modules of the certification plans for OpenID Providers that need refresh tokens, by their exact names. The table
/// in `Documentation/Reports/Conformance.md` is that of `ProviderModuleTests`, whose apps have no accounts.
struct RefreshTokenModuleTests {
    /// The two clients of the suite, which authenticate.
    private static let clients = [AppSessionInstallation.App.back, .plain]

    /// One with refresh tokens that stay, and one with those that are replaced.
    @Test(arguments: [false, true]) func `oidcc-refresh-token`(rotates: Bool) async throws {
        let installation = try AppSessionInstallation {
            for index in $0.apps.indices {
                $0.apps[index].refreshTokens = true
                $0.apps[index].rotateRefreshTokens = rotates
            }
        }
        let metadata = try installation.base.answer(
            try await installation.base.respond(.get, "/__/auth/.well-known/openid-configuration", nil, "")
        ).members
        #expect(metadata["scopes_supported"]?.arrayValue?.contains("offline_access") == true)
        #expect(metadata["grant_types_supported"]?.arrayValue?.contains("refresh_token") == true)
        // The first client repeats the scope at the refresh. The second one does not, and has a long nonce.
        let scope = "openid offline_access"
        let nonces = ["0123456789", String(repeating: "n", count: 43)]
        var last: [String] = []
        for (client, nonce) in zip(Self.clients, nonces) {
            let code = try await installation.code(client, scope: scope, nonce: nonce, more: [("prompt", "consent")])
            let first = try await installation.post("token", code)
            let token = try #require(first.refreshToken)
            expectRandom(token)
            installation.clock.advance(by: 1)
            let form = [("grant_type", "refresh_token"), ("refresh_token", token)] + client.form
            let response = try await installation.response("token", form + (last.isEmpty ? [("scope", scope)] : []))
            #expect(response.head.status == .ok)
            #expect(response.head.headerFields[.contentType] == "application/json")
            #expect(response.head.headerFields[.cacheControl] == "no-store")
            let second = try installation.base.answer(response)
            #expect(second.members.string("token_type") == "Bearer")
            #expect((second.refreshToken != token) == rotates)
            for name in ["access_token", "refresh_token"] {
                expectRandom(try #require(second.members.string(name)))
            }
            #expect(second.members.string("access_token") != first.members.string("access_token"))
            let (before, after) = (
                try await installation.base.claims(of: first), try await installation.base.claims(of: second)
            )
            for name in ["iss", "sub", "aud", "auth_time", "azp"] { #expect(before[name] == after[name], "\(name)") }
            #expect(before["iat"] != after["iat"])
            last.append(try #require(second.refreshToken))
        }
        // The first client offers the token of the second one, which is none the worse for it.
        #expect(try await installation.refresh(last[1], Self.clients[0]).error == "invalid_grant")
        #expect(try await installation.refresh(last[1], Self.clients[1]).status == 200)
    }

    /// The suite's measure: more than 96 bits by the entropy of a character times the number of characters, printable
    /// ASCII.
    private func expectRandom(_ token: String) {
        #expect(Entropy.bits(of: token) > 96)
        #expect(token.utf8.allSatisfy { (0x21...0x7E).contains($0) })
    }
}
