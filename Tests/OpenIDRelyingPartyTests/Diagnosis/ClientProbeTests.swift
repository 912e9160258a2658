// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// Whether a provider accepts a client.
@Suite struct ClientProbeTests {
    @Test(
        arguments: [
            (400, #"{"error":"invalid_grant"}"#, .accepted),
            (200, #"{"error":"invalid_grant"}"#, .accepted),
            (401, #"{"error":"invalid_client"}"#, .refused("invalid_client")),
            (400, #"{"error":"invalid_client"}"#, .refused("invalid_client")),
            (401, "", .refused("status 401")),
            (401, #"{"error":"invalid_grant"}"#, .accepted),
            (400, #"{"error":"unauthorized_client"}"#, .undecided("unauthorized_client")),
            (400, #"{"error":"invalid_request"}"#, .undecided("invalid_request")),
            (403, "<html>", .undecided("the token endpoint responded with status 403")),
            (302, "", .undecided("the token endpoint responded with status 302")),
            (400, #"{"error":7}"#, .undecided("the token response has an unacceptable 'error'")),
            (400, #"{"error":"a b\u001b"}"#, .undecided("a?b?")),
            (200, #"{"id_token":"a.b.c"}"#, .undecided("tokens for a code that does not exist")),
        ] as [(Int, String, ClientProbe)])
    func `a response to a code that cannot exist is judged`(status: Int, body: String, probe: ClientProbe) {
        #expect(ClientProbe(status: status, json: Array(body.utf8)) == probe)
    }

    @Test func `a right secret is accepted, and each probe has another code`() throws {
        let provider = try InMemoryProvider(.init(clients: [.init(id: "client", secret: "secret")]))
        let loop = EmbeddedEventLoop()
        let party = party(provider, secret: "secret")
        let metadata = try party.metadata(on: loop).future(on: loop).wait()
        for _ in 0..<2 { #expect(try party.probeClient(metadata, on: loop).wait() == .accepted) }
        let forms = provider.recordedRequests().filter { $0.path == "/token" }
        #expect(forms.count == 2)
        #expect(provider.recordedRequests().map(\.path) == ["/.well-known/openid-configuration", "/token", "/token"])
    }

    @Test func `a wrong secret is refused`() throws {
        let provider = try InMemoryProvider(.init(clients: [.init(id: "client", secret: "secret")]))
        let loop = EmbeddedEventLoop()
        let party = party(provider, secret: "another")
        let metadata = try party.metadata(on: loop).future(on: loop).wait()
        #expect(
            try party.probeClient(metadata, on: loop).wait()
                == .refused("invalid_client: 'the client is not known, or its proof is wrong'"))
    }

    @Test(arguments: [Misbehavior.tokenEndpointUnavailable, .tooManyTokenRequests])
    func `an endpoint that is not available says nothing of the client`(misbehavior: Misbehavior) throws {
        let provider = try InMemoryProvider(.init(clients: [.init(id: "client", secret: "secret")]))
        provider.set(misbehavior)
        let loop = EmbeddedEventLoop()
        let party = party(provider, secret: "secret")
        let metadata = try party.metadata(on: loop).future(on: loop).wait()
        let error = #expect(throws: RelyingPartyError.self) { try party.probeClient(metadata, on: loop).wait() }
        #expect(error?.isTemporary == true)
    }

    @Test func `without a credential nothing is sent`() throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider) { $0.clientAuthentication = .privateKeyJWT }
        let metadata = try session.party.metadata(on: session.loop).future(on: session.loop).wait()
        let error = #expect(throws: RelyingPartyError.self) {
            try session.party.probeClient(metadata, on: session.loop).wait()
        }
        #expect(error?.isTemporary == false)
        #expect(provider.paths == ["/.well-known/openid-configuration"])
    }

    @Test func `what a probe found is a check`() {
        #expect(LiveCheck.client(of: "acme", method: "none", .accepted).verdict == .ok)
        #expect(LiveCheck.client(of: "acme", method: "none", .refused("invalid_client")).verdict == .wrong)
        #expect(LiveCheck.client(of: "acme", method: "none", .undecided("status 403")).verdict == .unknown)
    }

    @Test func `what the provider says is told, without the secret`() throws {
        let provider = try TestProvider()
        provider.answer(
            "/token", status: 401, #"{"error":"invalid_client","error_description":"no client with s3cret-of-client"}"#)
        let session = UnpluggedSession(provider) { $0.clientSecret = Secret("s3cret-of-client") }
        let metadata = try session.party.metadata(on: session.loop).future(on: session.loop).wait()
        let probe = try session.party.probeClient(metadata, on: session.loop).wait()
        #expect(probe == .refused("invalid_client: 'no client with [hidden]'"))
    }

    @Test(
        arguments: [
            ("plain-Secret_1.~", nil, false), ("with+plus", nil, true), ("with+plus", .clientSecretPost, false),
            ("with+plus", .clientSecretBasic, true),
        ] as [(String, ClientAuthenticationMethod?, Bool)])
    func `a refused client whose secret form encoding changes is told of client_secret_post`(
        secret: String, method: ClientAuthenticationMethod?, isTold: Bool
    ) throws {
        let provider = try TestProvider()
        provider.answer("/token", status: 401, #"{"error":"invalid_client"}"#)
        let session = UnpluggedSession(provider) {
            $0.clientSecret = Secret(secret)
            $0.clientAuthentication = method
        }
        let metadata = try session.party.metadata(on: session.loop).future(on: session.loop).wait()
        let advice = session.party.encodingAdvice(metadata)
        #expect((advice != nil) == isTold)
        let check = LiveCheck.client(of: "acme", method: "x", .refused("invalid_client"), advice: advice)
        #expect(check.advice?.contains("client_secret_post") == isTold)
        // The log says so, too, and has no secret.
        let error = #expect(throws: RelyingPartyError.self) { try session.signIn() }
        #expect(error?.description.contains("client-authentication client_secret_post") == isTold)
        #expect(error?.description.contains(secret) == false)
        #expect(error == .provider(.token, ProviderError(code: "invalid_client", description: nil)))
    }

    @Test func `a code that is refused before the client is looked at tells nothing of the client`() {
        let check = LiveCheck.clientNotLookedAt(of: "acme", method: "client_secret_post", other: "secret")
        #expect(check.verdict == .unknown)
        #expect(check.found == "invalid_grant, and the same with a random secret")
    }

    @Test func `a probe that got through outweighs what is announced`() {
        let announced = LiveCheck(
            .clientAuthentication, of: "acme", .wrong, found: "none", wanted: "client_secret_post", advice: "Change it."
        )
        let accepted = LiveCheck.client(of: "acme", method: "client_secret_post", .accepted)
        #expect(announced.outweighed(by: accepted).verdict == .ok)
        #expect(announced.outweighed(by: accepted).advice == nil)
        for probe in [ClientProbe.refused("invalid_client"), .undecided("status 403")] {
            #expect(announced.outweighed(by: .client(of: "acme", method: "x", probe)) == announced)
        }
        let other = LiveCheck(.scopes, of: "acme", .wrong, found: "a", wanted: "b", advice: "c")
        #expect(other.outweighed(by: accepted) == other)
    }

    @Test func `a pushed request tells of the redirect URI, and is wrong only where requests are pushed`() throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider)
        let metadata = try session.party.metadata(on: session.loop).future(on: session.loop).wait()
        try session.party.probePush(metadata, on: session.loop).wait()
        let form = try provider.form("/par")
        #expect(try form.text("redirect_uri") == "https://app.example/cb")
        #expect(try form.text("response_type") == "code")
        provider.answer(
            "/par", status: 400, #"{"error":"invalid_request","error_description":"redirect_uri is not registered"}"#)
        let error = #expect(throws: RelyingPartyError.self) {
            try session.party.probePush(metadata, on: session.loop).wait()
        }
        #expect(error?.description.hasSuffix("'invalid_request': 'redirect_uri is not registered'") == true)
        func verdicts(_ isUsed: Bool, _ error: RelyingPartyError?) -> [LiveCheck.Verdict] {
            LiveCheck.pushedRequest(of: "acme", isUsed: isUsed, redirectURI: "x", error).map(\.verdict)
        }
        #expect(verdicts(true, error) == [.wrong])
        #expect(verdicts(false, error) == [.unknown])
        #expect(verdicts(true, .status(.pushedAuthorization, 503)) == [.unreachable])
        #expect(verdicts(false, nil) == [.ok, .ok])
    }

    private func party(_ provider: InMemoryProvider, secret: String) -> RelyingParty {
        var configuration = ProviderConfiguration(
            issuer: provider.issuer, clientID: "client", clientSecret: Secret(secret),
            redirectURI: "https://app.example/cb")
        configuration.insecureLoopbackIssuer = true
        return RelyingParty(configuration: configuration, transport: provider)
    }
}
