// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// Pushed authorization requests (RFC 9126).
@Suite struct PushedAuthorizationTests {
    @Test func `it is pushed where the provider requires it or the configuration says so`() throws {
        for (isRequired, isConfigured) in [(true, false), (false, true), (true, true), (false, false)] {
            let provider = try TestProvider()
            provider.behave { $0.metadata["require_pushed_authorization_requests"] = .bool(isRequired) }
            let session = UnpluggedSession(provider) { $0.pushedAuthorization = isConfigured }
            let url = try session.begin().url
            let isPushed = isRequired || isConfigured
            #expect(provider.paths.contains("/par") == isPushed)
            #expect(url.contains("request_uri=") == isPushed)
            #expect(url.contains("state=") == !isPushed)
        }
    }

    @Test func `the request is posted whole, with the client's proof, and the URL holds a reference`() throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider) { configuration in
            configuration.pushedAuthorization = true
            configuration.resources = ["https://a.example/", "https://b.example/"]
            configuration.clientAuthentication = .clientSecretPost
        }
        let (url, pending) = try session.begin(
            parameters: [.init(name: "login_hint", value: "ada")], maximumAge: .seconds(60))
        #expect(url == "https://issuer.example/authorize?client_id=client&request_uri=urn%3Aexample%3Arequest")
        let form = try provider.form("/par")
        for (name, value) in [
            ("response_type", "code"), ("client_id", "client"), ("redirect_uri", "https://app.example/cb"),
            ("scope", "openid"), ("state", pending.state), ("nonce", pending.nonce.exposed),
            ("code_challenge_method", "S256"), ("login_hint", "ada"), ("max_age", "60"), ("client_secret", "secret"),
        ] {
            #expect(try form.text(name) == value)
        }
        #expect(form.texts.filter { $0.name == "resource" }.count == 2)
        #expect(try form.text("code_challenge") == CodeVerifier(pending.codeVerifier.exposed).map(\.challenge))
        // The rest goes on as ever.
        #expect(try session.complete(try provider.answer(to: url), pending).subject == "person-ada")
    }

    @Test(
        arguments: [
            (400, #"{"error":"invalid_request"}"#, "invalid_request", false),
            (401, #"{"error":"invalid_client"}"#, "invalid_client", false), (413, "", nil, false),
            (429, "", nil, true), (503, "", nil, true), (200, #"{"request_uri":"urn:x","expires_in":60}"#, nil, false),
            (201, #"{"expires_in":60}"#, nil, false), (201, #"{"request_uri":"","expires_in":60}"#, nil, false),
            (201, "<html>", nil, false), (302, "", nil, false),
        ] as [(Int, String, String?, Bool)])
    func `no browser is sent on where it was not accepted, and it is sent once`(
        status: Int, body: String, code: String?, isTemporary: Bool
    ) throws {
        let provider = try TestProvider()
        provider.answer("/par", status: status, body)
        let session = UnpluggedSession(provider) { $0.pushedAuthorization = true }
        let error = #expect(throws: RelyingPartyError.self) { try session.begin() }
        #expect(error?.step == .pushedAuthorization)
        #expect(error?.providerError?.code == code)
        #expect(error?.isTemporary == isTemporary)
        #expect(provider.paths == ["/.well-known/openid-configuration", "/par"])
    }

    @Test func `a provider without the endpoint is not sent a request that shall be pushed`() throws {
        let provider = try TestProvider()
        provider.behave { $0.metadata["pushed_authorization_request_endpoint"] = .null }
        let session = UnpluggedSession(provider) { $0.pushedAuthorization = true }
        let error = #expect(throws: RelyingPartyError.self) { try session.begin() }
        #expect(error?.step == .pushedAuthorization)
        provider.behave { $0.metadata["require_pushed_authorization_requests"] = true }
        #expect(throws: RelyingPartyError.self) { try UnpluggedSession(provider).begin() }
    }

    @Test func `the broker's way gives the same URL where nothing is pushed`() throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider)
        let metadata = try session.party.metadata(on: session.loop).wait()
        #expect(!session.party.pushes(metadata))
        let redirect = try session.party.authorizationRedirect(
            metadata: metadata, state: "s", rawNonce: "n", codeChallenge: "c", additionalScopes: ["email"],
            parameters: [(name: "prompt", value: "login")], in: RequestScope(on: session.loop)
        ).wait()
        #expect(
            redirect
                == session.party.authorizationURL(
                    endpoint: try session.party.authorizationEndpoint(of: metadata), state: "s", rawNonce: "n",
                    codeChallenge: "c", additionalScopes: ["email"],
                    parameters: [(name: "prompt", value: "login")]))
        #expect(provider.paths == ["/.well-known/openid-configuration"])
    }
}
