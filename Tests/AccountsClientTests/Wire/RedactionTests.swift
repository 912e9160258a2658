// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AccountsClient

/// No description, debug description or dump shows a token.
struct RedactionTests {
    private func shown(_ value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value)" + String(reflecting: value) + dumped
    }

    @Test func `credentials, results, errors and sessions`() async throws {
        let secrets = [
            "provider-id-token", "raw-nonce", "Lovelace", "provider-access-token", "pending-token", "id-token-1",
            "refresh-token-1", "ticket-1", "raw-session",
        ]
        let apple = Credential.apple(
            idToken: "provider-id-token", rawNonce: "raw-nonce", fullName: PersonNameComponents(familyName: "Lovelace"))
        let other = Credential.openID(
            providerID: "oidc.acme", idToken: "provider-id-token", rawNonce: "raw-nonce",
            accessToken: "provider-access-token")
        let pending = Credential(providerID: "oidc.acme", pendingToken: "pending-token")
        let session = SessionID(raw: "raw-session", hashed: "hashed-session")
        let ticket = Credential(providerID: "oidc.acme", ticket: "ticket-1", sessionID: session.raw)
        let stubbed = try StubbedClient()
        await stubbed.exchange.answer(.signIn, .signedIn())
        await stubbed.exchange.answer(.lookup, .account())
        let result = try await stubbed.client.signIn(with: apple)
        #expect(result.providerTokens.idToken == "provider-id-token")
        #expect(result.providerTokens.accessToken == "provider-access-token")
        let data = try #require(try await stubbed.storage.load())
        let stored = try #require(StoredSession(data: data))
        #expect(stored.tokens.refreshToken.exposed == "refresh-token-1")
        let values: [Any] = [
            apple, other, pending, session, ticket, result, stored,
            AccountsError(.credentialAlreadyInUse, updatedCredential: pending),
        ]
        for value in values {
            let text = shown(value)
            for secret in secrets { #expect(!text.contains(secret), "\(secret) is shown") }
        }
        #expect(shown(HiddenText("x")).contains("<redacted>"))
    }
}
