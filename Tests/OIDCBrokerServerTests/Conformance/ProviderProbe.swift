// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import JOSE
import NIOCore
import NIOHTTP1
import OIDCBrokerTesting
import OpenIDConnect
import Testing
import TestingSupport

/// A provider and a client that can do anything wrong, over plain sockets.
struct ProviderProbe: Sendable {
    static let redirectURI = "https://app.example/callback"
    static let clientID = "client"
    static let secret = "secret+of the client"
    static let verifier = CodeVerifier(bytes: Array(repeating: 7, count: 32))

    let provider: OpenIDProvider
    let clock: TestClock
    private let http: HTTPClient

    /// Runs a body against a provider that knows the client.
    static func run(
        configuring change: (inout OpenIDProvider.Configuration) throws -> Void = { _ in },
        _ body: (ProviderProbe) async throws -> Void
    ) async throws {
        let clock = TestClock()
        var configuration = OpenIDProvider.Configuration(
            clients: [OpenIDProvider.Client(id: clientID, secret: secret, redirectURIs: [redirectURI])],
            interaction: .automatic(0))
        configuration.clock = clock
        configuration.sharesKeys = true
        try change(&configuration)
        let provider = try await OpenIDProvider.start(configuration, on: RunningServer.eventLoops)
        let http = HTTPClient(
            eventLoopGroupProvider: .shared(RunningServer.eventLoops),
            configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))
        try await attempt {
            try await body(ProviderProbe(provider: provider, clock: clock, http: http))
        } finally: {
            try await http.shutdown()
            try await provider.shutdown()
        }
    }

    /// An authorization request with nothing wrong.
    static let request = [
        ("client_id", clientID), ("redirect_uri", redirectURI), ("response_type", "code"), ("scope", "openid email"),
        ("state", "a-state"), ("nonce", "a-nonce"), ("code_challenge", verifier.challenge),
        ("code_challenge_method", "S256"),
    ]

    /// The client's proof by HTTP Basic.
    static func basic(_ secret: String = ProviderProbe.secret) -> String {
        let pair = FormURLEncoding.percentEncode(clientID) + ":" + FormURLEncoding.percentEncode(secret)
        return "Basic " + Base64.encode(Array(pair.utf8))
    }

    /// A token request for a code with nothing wrong but, perhaps, the proof.
    static func exchange(_ code: String) -> [(String, String)] {
        [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURI),
            ("code_verifier", verifier.value),
        ]
    }

    /// Asks by GET.
    @discardableResult
    func get(_ target: String, _ query: [(String, String)] = [], authorization: String? = nil) async throws -> Response
    {
        let suffix = query.isEmpty ? "" : "?" + FormURLEncoding.encode(query)
        var request = HTTPClientRequest(url: provider.issuer + target + suffix)
        if let authorization { request.headers.add(name: "authorization", value: authorization) }
        return try await send(request)
    }

    /// Asks by POST of a form.
    @discardableResult
    func post(_ target: String, _ form: [(String, String)], authorization: String? = nil) async throws -> Response {
        var request = HTTPClientRequest(url: provider.issuer + target)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        if let authorization { request.headers.add(name: "authorization", value: authorization) }
        request.body = .bytes(ByteBuffer(string: FormURLEncoding.encode(form)))
        return try await send(request)
    }

    /// A code for the honest request.
    func code() async throws -> String {
        let response = try await get("/authorize", Self.request)
        let location = try #require(response.location)
        let mark = try #require(location.firstIndex(of: "?"))
        let parameters = try FormURLEncoding.parse(location[location.index(after: mark)...].utf8)
        return try #require(try parameters.value("code")).makeString()
    }

    /// What came back.
    struct Response: Sendable {
        let status: Int
        let location: String?
        let body: [UInt8]

        /// A string member of a JSON response.
        subscript(name: String) -> String? {
            (try? JSONParser.object(body, limits: JSONLimits(maximumBytes: 1 << 20)))?[name]?.text?.makeString()
        }
    }

    private func send(_ request: HTTPClientRequest) async throws -> Response {
        let response = try await http.execute(request, timeout: .seconds(30))
        let body = try await response.body.collect(upTo: 1 << 20)
        return Response(
            status: Int(response.status.code), location: response.headers.first(name: "location"),
            body: Array(body.readableBytesView))
    }
}
