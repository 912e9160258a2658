// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// The responses of a token endpoint, which receives a single request.
@Suite struct TokenEndpointTests {
    private static let before = ["/.well-known/openid-configuration", "/token"]

    struct Response: Sendable, CustomStringConvertible {
        let status: Int
        let body: String
        var code: String?
        var isTemporary = false

        var description: String { "\(status) \(body.prefix(40))" }
    }

    @Test(
        .attack(.hostileTokenResponse, .codeSentTwice),
        arguments: [
            Response(status: 500, body: "", isTemporary: true),
            Response(status: 502, body: "<html>", isTemporary: true),
            Response(status: 503, body: #"{"error":"invalid_grant"}"#, isTemporary: true),
            Response(status: 429, body: #"{"error":"slow_down"}"#, isTemporary: true),
            Response(status: 200, body: #"{"error":"invalid_grant","id_token":"a.b.c"}"#, code: "invalid_grant"),
            Response(status: 400, body: #"{"error":"invalid_grant"}"#, code: "invalid_grant"),
            Response(
                status: 400, body: #"{"error":"temporarily_unavailable"}"#, code: "temporarily_unavailable",
                isTemporary: true),
            Response(status: 401, body: #"{"error":"invalid_client"}"#, code: "invalid_client"),
            Response(status: 400, body: #"{"error":1}"#), Response(status: 400, body: ""),
            Response(status: 307, body: ""),
            Response(status: 201, body: "{}"), Response(status: 204, body: ""), Response(status: 200, body: ""),
            Response(status: 200, body: "access_token=x&id_token=y"), Response(status: 200, body: "{}"),
            Response(status: 200, body: #"{"id_token":null}"#), Response(status: 200, body: #"{"id_token":""}"#),
            Response(status: 200, body: #"{"id_token":["a.b.c"]}"#),
            Response(status: 200, body: #"{"id_token":"a.b.c","id_token":"a.b.c"}"#),
            Response(status: 200, body: #"{"id_token":"a.b.c","access_token":"x"}"#),
            Response(status: 200, body: #"{"id_token":"a.b.c","access_token":"x","token_type":"mac"}"#),
        ])
    func `a response that is none ends it there, and the code is not sent again`(response: Response) throws {
        let provider = try TestProvider()
        provider.answer("/token", status: response.status, response.body)
        let error = try UnpluggedSession(provider).refusal()
        #expect(error?.step == .token)
        #expect(error?.providerError?.code == response.code)
        #expect(error?.isTemporary == response.isTemporary)
        #expect(provider.paths == Self.before)
    }

    @Test(
        .attack(.codeSentTwice),
        arguments: [
            ProviderTransportError.unreachable, .timedOut, .interrupted, .untrusted, .tooLarge, .encoded,
            .addressRefused,
        ])
    func `a code is not sent again after a failure of the way either`(failure: ProviderTransportError) throws {
        let provider = try TestProvider()
        provider.behave { $0.responses["/token"] = .failure(failure) }
        #expect(try UnpluggedSession(provider).refusal() == .transport(.token, failure))
        #expect(provider.paths == Self.before)
    }

    @Test(.attack(.hostileTokenResponse), arguments: ["Bearer", "bearer", "bEARER", "BEARER"])
    func `the token type is of any case`(type: String) throws {
        let provider = try TestProvider()
        provider.behave { behavior in behavior.changeTokenResponse = { $0["token_type"] = .string(type) } }
        #expect(try UnpluggedSession(provider).refusal() == nil)
    }

    @Test(.attack(.hostileTokenResponse)) func `expires_in may be absent, and a refresh token too`() throws {
        let provider = try TestProvider()
        provider.behave { behavior in
            behavior.changeTokenResponse = { response in
                response["expires_in"] = nil
                response["refresh_token"] = nil
            }
        }
        let signIn = try UnpluggedSession(provider).signIn()
        #expect(signIn.expiresIn == nil)
        #expect(signIn.refreshToken == nil)
    }

    @Test(
        .attack(.wrongMediaType),
        arguments: ["application/json; charset=utf-8", "application/json;charset=iso-8859-1", "text/html", nil])
    func `the token response is validated by its bytes`(type: String?) throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider)
        let (url, pending) = try session.begin()
        let callback = try provider.answer(to: url)
        // The honest response with another type.
        let request = ProviderRequest(
            url: try #require(AbsoluteURL("https://issuer.example/token")),
            content: .form("grant_type=authorization_code"),
            maximumResponseBytes: 65_536, deadline: .now(),
            trust: ProviderTrust(certificateAuthorities: nil, addresses: .any))
        var response = try provider.execute(request, on: session.loop).wait()
        response.contentType = type
        provider.behave { [response] behavior in behavior.responses["/token"] = .success(response) }
        #expect(try session.complete(callback, pending).subject == "person-ada")
    }

    @Test(.attack(.wrongMediaType))
    func `a token response with a byte order mark, or in another encoding, is refused`() throws {
        let valid = Array(#"{"id_token":"a.b.c"}"#.utf8)
        for body in [
            [0xEF, 0xBB, 0xBF] + valid, Array(#"{"id_token":"a.b.c","x":""#.utf8) + [0xE9] + Array("\"}".utf8),
        ] {
            let provider = try TestProvider()
            let response = ProviderResponse(
                status: 200, contentType: "application/json", body: ByteBuffer(bytes: body))
            provider.behave { $0.responses["/token"] = .success(response) }
            #expect(try UnpluggedSession(provider).refusal()?.step == .token)
        }
    }

    @Test func `every request of a callback is bounded by five seconds, and all of them by fifteen`() throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider) { configuration in
            configuration.responseType = .codeIDToken
            configuration.responseMode = .formPost
            configuration.userInfo = true
        }
        let start = NIODeadline.now()
        try session.signIn()
        let end = NIODeadline.now()
        #expect(provider.paths == ["/.well-known/openid-configuration", "/jwks", "/token", "/userinfo"])
        for request in provider.requests {
            #expect(request.deadline >= start + RelyingParty.requestTimeout)
            #expect(request.deadline <= end + RelyingParty.requestTimeout)
        }
    }

    @Test func `each response has its limit`() throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider) { configuration in
            configuration.pushedAuthorization = true
            configuration.userInfo = true
        }
        try session.signIn()
        try session.party.revoke(Secret("r"), on: session.loop).wait()
        let limits = provider.requests.map { "\($0.url.path) \($0.maximumResponseBytes)" }
        #expect(
            limits == [
                "/.well-known/openid-configuration 262144", "/par 262144", "/token 262144", "/jwks 524288",
                "/userinfo 262144", "/revoke 65536",
            ])
    }

    @Test func `a step's own time limit is shortened near the end of the callback's`() throws {
        let provider = try TestProvider()
        let party = RelyingParty(
            configuration: ProviderConfiguration(
                issuer: TestProvider.fixedIssuer, clientID: "client", clientSecret: nil,
                redirectURI: "https://app.example/cb"),
            transport: provider, clock: provider.clock, elapsed: provider.clock.elapsed, policy: .standard,
            requestTimeout: .hours(1))
        let session = UnpluggedSession(provider)
        let start = NIODeadline.now()
        let begun = try party.begin(on: session.loop).wait()
        let (url, pending) = (begun.url, begun.pending)
        let response = try provider.answer(to: url)
        _ = try party.complete(authorizationResponse: response, pending: pending, on: session.loop).wait()
        let end = NIODeadline.now()
        let deadlines = provider.requests.map(\.deadline)
        #expect(deadlines.count == 3)
        for deadline in deadlines {
            #expect(deadline >= start + RelyingParty.callbackTimeout)
            #expect(deadline <= end + RelyingParty.callbackTimeout)
        }
        // The fetch of the keys serves others too: it has a time of its own, and the callback waits for it no longer than
        // for all the rest.
        #expect(deadlines[1] <= deadlines[2])
    }
}
