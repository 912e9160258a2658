// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// What a provider says of an error is told, without anything that it was sent.
@Suite struct ExplanationsTests {
    /// Expects the words of the provider that echoes, and nothing of its request.
    private func expect(
        _ error: RelyingPartyError?, of provider: TestProvider, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let text = try #require(error, sourceLocation: sourceLocation).description
        #expect(text.contains("Proof is missing"), "\(text)", sourceLocation: sourceLocation)
        let request = try #require(provider.requests.last, sourceLocation: sourceLocation)
        var values = try FormURLEncoding.parse((request.form ?? "").utf8).texts
            .filter { $0.value.utf8.count >= 8 && !["redirect_uri", "grant_type"].contains($0.name) }.map(\.value)
        if let authorization = request.authorization { values.append(String(authorization.split(separator: " ")[1])) }
        values += ["secret", "ada@example.com", TestProvider.code, "an-access-token", "a-refresh-token"]
        for value in values {
            #expect(!text.contains(value), "\(value) in \(text)", sourceLocation: sourceLocation)
            #expect(
                !text.contains(FormURLEncoding.percentEncode(value)), "\(value) in \(text)",
                sourceLocation: sourceLocation)
        }
    }

    @Test func `the token endpoint echoes everything`() throws {
        for method in [ClientAuthenticationMethod.clientSecretBasic, .clientSecretPost] {
            let provider = try TestProvider()
            provider.behave { $0.echoingPaths = ["/token"] }
            let error = try UnpluggedSession(provider) { $0.clientAuthentication = method }.refusal()
            #expect(error?.providerError?.code == "invalid_request")
            try expect(error, of: provider)
        }
    }

    @Test func `UserInfo echoes everything in its challenge`() throws {
        let provider = try TestProvider()
        provider.behave { $0.echoingPaths = ["/userinfo"] }
        let error = try UnpluggedSession(provider) { $0.userInfo = true }.refusal()
        #expect(error?.step == .userInfo)
        #expect(error?.status == 400)
        try expect(error, of: provider)
    }

    @Test func `the endpoint of pushed requests echoes everything`() throws {
        let provider = try TestProvider()
        provider.behave { $0.echoingPaths = ["/par"] }
        let session = UnpluggedSession(provider) { $0.pushedAuthorization = true }
        let error = #expect(throws: RelyingPartyError.self) {
            try session.begin(parameters: [AuthorizationParameter(name: "login_hint", value: "ada-lovelace")])
        }
        try expect(error, of: provider)
    }

    @Test func `refreshes and revocations echo everything`() throws {
        let provider = try TestProvider()
        provider.behave { $0.echoingPaths = ["/token", "/revoke"] }
        let session = UnpluggedSession(provider)
        let token = Secret("a-refresh-token")
        let refreshed = #expect(throws: RelyingPartyError.self) {
            try session.party.refresh(token, issuer: provider.issuer, subject: "person-ada", on: session.loop).wait()
        }
        try expect(refreshed, of: provider)
        let revoked = #expect(throws: RelyingPartyError.self) {
            try session.party.revoke(token, on: session.loop).wait()
        }
        try expect(revoked, of: provider)
    }

    @Test func `the authorization response echoes everything, where its state is the one that was sent`() throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider)
        let (url, pending) = try session.begin()
        let asked = Query(try FormURLEncoding.parse(url.drop { $0 != "?" }.dropFirst().utf8).texts)
        let said = "Request Object must be used \(url) \(pending.nonce.exposed)"
        let response = provider.refuse("invalid_request", state: pending.state, description: said)
        let error = #expect(throws: RelyingPartyError.self) {
            try session.complete(FormURLEncoding.encode(response), pending)
        }
        let text = try #require(error).description
        #expect(
            text.hasPrefix("authorization: the provider responded with 'invalid_request': 'Request Object must be used")
        )
        for name in ["state", "nonce", "code_challenge"] {
            #expect(!text.contains(try #require(asked[name])), "\(name)")
        }
    }

    @Test func `an encrypted token, where there is no key, is said to be that`() throws {
        let provider = try TestProvider()
        provider.behave { behavior in behavior.changeToken = { _, _ in "a.b.c.d.e" } }
        let error = try UnpluggedSession(provider).refusal()
        #expect(error?.description == "id_token: encrypted, and there are no decryption-keys")
        let other = try TestProvider()
        other.answer("/userinfo", "a.b.c.d.e", type: "application/jwt")
        let userInfo = try UnpluggedSession(other) { $0.userInfo = true }.refusal()
        #expect(userInfo?.description.contains("encrypted, and there are no decryption-keys") == true)
    }
}
