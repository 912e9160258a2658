// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// What a relying party asks of its transport, without sockets.
@Suite struct RelyingPartyRequestTests {
    private static let issuer = "https://issuer.example"

    private static func response(_ json: [UInt8], status: Int = 200) -> ProviderResponse {
        ProviderResponse(status: status, contentType: "application/json", body: ByteBuffer(bytes: json))
    }

    private func relyingParty(
        _ transport: TestProvider,
        issuer: String = Self.issuer,
        insecureLoopbackIssuer: Bool = false,
        clock: TestClock = TestClock()
    ) -> RelyingParty {
        var configuration = ProviderConfiguration(
            issuer: issuer, clientID: "client", clientSecret: Secret("secret"), redirectURI: "https://app.example/cb")
        configuration.authorizationParameters = [
            .init(name: "prompt", value: "login"), .init(name: "state", value: "evil"),
        ]
        configuration.insecureLoopbackIssuer = insecureLoopbackIssuer
        return RelyingParty(
            configuration: configuration, transport: transport, clock: clock, elapsed: clock.elapsed)
    }

    @Test func `nothing is asked before the first sign-in, then the metadata, bounded`() throws {
        let transport = try TestProvider { _ in .success(Self.response(discoveryDocument(Self.issuer))) }
        let party = relyingParty(transport)
        #expect(transport.requests.isEmpty)
        let before = NIODeadline.now()
        _ = try party.begin(on: EmbeddedEventLoop()).wait()
        let request = try #require(transport.requests.first)
        #expect(transport.requests.count == 1)
        #expect(request.url.text == "https://issuer.example/.well-known/openid-configuration")
        #expect(request.form == nil)
        #expect(request.authorization == nil)
        #expect(request.maximumResponseBytes == 262_144)
        #expect(request.trust.addresses == .publicOnly)
        #expect(request.trust.certificateAuthorities == nil)
        #expect(request.deadline > before)
        #expect(request.deadline <= NIODeadline.now() + TimeAmount.seconds(5))
    }

    @Test func `what is configured is sent, unless the app says otherwise or the name is reserved`() throws {
        let transport = try TestProvider { _ in .success(Self.response(discoveryDocument(Self.issuer))) }
        let party = relyingParty(transport)
        func query(_ parameters: [AuthorizationParameter]) throws -> (Parameters, PendingSignIn) {
            let start = try party.begin(
                parameters: parameters, maximumAge: .seconds(60), on: EmbeddedEventLoop()
            ).wait()
            let (url, pending) = (start.url, start.pending)
            let prefix = "https://issuer.example/authorize?"
            try #require(url.hasPrefix(prefix))
            return (try FormURLEncoding.parse(url.dropFirst(prefix.count).utf8), pending)
        }
        let (configured, pending) = try query([])
        #expect(try configured.text("prompt") == "login")
        #expect(try configured.text("state") == pending.state)
        #expect(try configured.text("nonce") == pending.nonce.exposed)
        #expect(try configured.text("max_age") == "60")
        #expect(
            try configured.text("code_challenge") == CodeVerifier(pending.codeVerifier.exposed).map(\.challenge))
        let (asked, _) = try query([.init(name: "prompt", value: "consent"), .init(name: "nonce", value: "evil")])
        #expect(try asked.text("prompt") == "consent")
        #expect(try asked.text("nonce") != "evil")
    }

    @Test func `an issuer with a private address, which the operator named, may have private endpoints`() throws {
        let transport = try TestProvider { request in
            request.trust.addresses == .publicOnly
                ? .failure(.addressRefused) : .success(Self.response(discoveryDocument(Self.issuer)))
        }
        _ = try relyingParty(transport).begin(on: EmbeddedEventLoop()).wait()
        #expect(transport.requests.map(\.trust.addresses) == [.publicOnly, .privateOnly])
    }

    /// DNS may return a private address once and the public one later. The server at the public one is not a private
    /// issuer, so the endpoints that it names must not be private.
    @Test(.attack(.hostileDiscovery))
    func `an issuer that is at a private address for one request only does not become a private one`() throws {
        let clock = TestClock()
        let start = clock.now()
        // At first the address is private for one request and public for the next; an hour later it is public.
        let transport = try TestProvider { request in
            clock.now() == start || request.form != nil
                ? .failure(.addressRefused) : .success(Self.response(discoveryDocument(Self.issuer)))
        }
        let party = relyingParty(transport, clock: clock)
        let loop = EmbeddedEventLoop()
        #expect(throws: RelyingPartyError.transport(.discovery, .addressRefused)) { try party.begin(on: loop).wait() }
        clock.advance(by: 3600)
        let pending = try party.begin(on: loop).wait().pending
        #expect(throws: RelyingPartyError.transport(.token, .addressRefused)) {
            try party.complete(authorizationResponse: "code=c&state=\(pending.state)", pending: pending, on: loop)
                .wait()
        }
        #expect(
            transport.requests.map(\.trust.addresses) == [.publicOnly, .privateOnly, .publicOnly, .publicOnly])
    }

    @Test func `an issuer with a link-local address is asked nothing more`() throws {
        let transport = try TestProvider { _ in .failure(.addressRefused) }
        #expect(throws: RelyingPartyError.transport(.discovery, .addressRefused)) {
            try relyingParty(transport).begin(on: EmbeddedEventLoop()).wait()
        }
        #expect(transport.requests.count == 2)
    }

    @Test(.attack(.hostileDiscovery)) func `a public issuer's endpoints may not have private addresses`() throws {
        let transport = try TestProvider { request in
            request.url.text.hasSuffix("/.well-known/openid-configuration")
                ? .success(Self.response(discoveryDocument(Self.issuer))) : .failure(.addressRefused)
        }
        let party = relyingParty(transport)
        let loop = EmbeddedEventLoop()
        let pending = try party.begin(on: loop).wait().pending
        #expect(throws: RelyingPartyError.transport(.token, .addressRefused)) {
            try party.complete(authorizationResponse: "code=c&state=\(pending.state)", pending: pending, on: loop)
                .wait()
        }
        #expect(transport.requests.map(\.trust.addresses) == [.publicOnly, .publicOnly])
        #expect(transport.requests.map { $0.form == nil } == [true, false])
    }

    @Test(
        .attack(.hostileDiscovery),
        arguments: [
            ("http://issuer.example", true), ("http://127.evil.com", true), ("http://127.0.0.1", false),
            ("not a URL", true),
            ("ftp://issuer.example", true),
        ])
    func `an issuer that is not https is not asked, except this machine where that is allowed`(
        issuer: String, isAllowed: Bool
    ) throws {
        let transport = try TestProvider { _ in .success(Self.response(discoveryDocument(issuer))) }
        let error = #expect(throws: RelyingPartyError.self) {
            try relyingParty(transport, issuer: issuer, insecureLoopbackIssuer: isAllowed)
                .begin(on: EmbeddedEventLoop()).wait()
        }
        #expect(error?.step == .discovery)
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: [301, 404, 429, 500, 503])
    func `a discovery document with another status than 200 is none`(status: Int) throws {
        let transport = try TestProvider { _ in
            .success(Self.response(discoveryDocument(Self.issuer), status: status))
        }
        let error = #expect(throws: RelyingPartyError.status(.discovery, status)) {
            try relyingParty(transport).begin(on: EmbeddedEventLoop()).wait()
        }
        #expect(error?.isTemporary == (status == 429 || status >= 500))
    }

    @Test(arguments: [
        ProviderTransportError.unreachable, .connectTimedOut, .untrusted, .timedOut, .tooLarge, .encoded, .interrupted,
        .unusableTrust,
    ])
    func `a transport's failure is that of the step`(failure: ProviderTransportError) throws {
        let transport = try TestProvider { _ in .failure(failure) }
        #expect(throws: RelyingPartyError.transport(.discovery, failure)) {
            try relyingParty(transport).begin(on: EmbeddedEventLoop()).wait()
        }
        #expect(transport.requests.count == 1)
    }
}
