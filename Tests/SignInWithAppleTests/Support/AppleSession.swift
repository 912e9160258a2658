// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import JOSE
import NIOCore
import NIOHTTP1
import NIOPosix
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple
import Testing

/// How a session with a mock Apple is set up; a test names what it is about.
struct AppleSetting: Sendable {
    var developerKey = MockApple.DeveloperKey.make(teamID: Apple.teamID)
    /// Whether the relying party has the key; without one it only verifies.
    var hasKey = true
    var clientID = Apple.servicesID
    var scopes = AppleAuthorization.defaultScopes
    var responseType = ResponseType.codeIDToken
    var person = 0
    var algorithm = OpenIDProvider.SigningAlgorithm.es256
    var writesBooleansAsText = false
    var misbehavior = MockApple.Misbehavior.none
}

/// A relying party and a mock Apple over real sockets.
struct AppleSession: Sendable {
    let apple: MockApple
    let clock: TestClock
    let clientSecret: AppleClientSecret
    let relyingParty: RelyingParty
    private let transport: AsyncHTTPClientTransport
    private let browser: HTTPClient

    static let group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton

    /// One of its loops.
    static var loop: any EventLoop { group.any() }

    /// Runs a test with a session and shuts everything down.
    static func run(
        _ setting: AppleSetting = AppleSetting(),
        _ body: (AppleSession) async throws -> Void
    ) async throws {
        let clock = TestClock(now: Apple.now)
        var registration = MockApple.Configuration(
            clients: [
                .servicesID(Apple.servicesID, teamID: Apple.teamID, redirectURIs: [Apple.redirectURI]),
                .bundleID(Apple.bundleID, teamID: Apple.teamID),
                .bundleID(Apple.otherBundleID, teamID: Apple.teamID),
            ],
            developerKeys: [setting.developerKey], interaction: .automatic(setting.person),
            misbehavior: setting.misbehavior)
        registration.signingAlgorithm = setting.algorithm
        registration.writesBooleansAsText = setting.writesBooleansAsText
        registration.clock = clock
        let apple = try await MockApple.start(registration, on: group)
        let transport = AsyncHTTPClientTransport(eventLoopGroup: group)
        let clientSecret = apple.clientSecret(setting.hasKey ? try setting.developerKey.appleKey() : nil)
        let relyingParty = RelyingParty(
            configuration: apple.providerConfiguration(
                clientID: setting.clientID, redirectURI: Apple.redirectURI, clientSecret: clientSecret,
                scopes: setting.scopes, responseType: setting.responseType),
            transport: transport, clock: clock, elapsed: clock.elapsed)
        let browser = HTTPClient(
            eventLoopGroup: group, configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))
        let session = AppleSession(
            apple: apple, clock: clock, clientSecret: clientSecret, relyingParty: relyingParty, transport: transport,
            browser: browser)
        do {
            try await body(session)
        } catch {
            try await session.shutdown()
            throw error
        }
        try await session.shutdown()
    }

    private func shutdown() async throws {
        try await transport.shutdown()
        try await browser.shutdown()
        try await apple.shutdown()
    }

    /// Another relying party of the same Apple, with a client secret of its own.
    func relyingParty(clientID: String, clientSecret: AppleClientSecret) -> RelyingParty {
        RelyingParty(
            configuration: apple.providerConfiguration(
                clientID: clientID, redirectURI: Apple.redirectURI, clientSecret: clientSecret),
            transport: transport, clock: clock, elapsed: clock.elapsed)
    }

    // MARK: The web

    /// The user's part: opens the URL, and returns the fields of the form that Apple's page posts.
    func visit(_ url: String) async throws -> [(name: String, value: String)] {
        let response = try await browser.execute(HTTPClientRequest(url: url), timeout: .seconds(30))
        let body = try await response.body.collect(upTo: 4 << 20)
        try #require(response.status == .ok)
        let page = String(buffer: body)
        try #require(page.contains("action=\"\(Apple.redirectURI)\""))
        return FormPage.hiddenFields(of: page)
    }

    /// A whole sign-in by the web flow.
    func signIn() async throws -> (signIn: VerifiedSignIn, fields: [(name: String, value: String)]) {
        let start = try await relyingParty.begin(using: Self.group)
        let (url, pending) = (start.url, start.pending)
        let fields = try await visit(url)
        let signIn = try await complete(fields, pending)
        return (signIn, fields)
    }

    /// Completes a sign-in with the fields of its callback.
    func complete(
        _ fields: [(name: String, value: String)], _ pending: PendingSignIn
    ) async throws -> VerifiedSignIn {
        let form = FormURLEncoding.encode(fields.filter { $0.name != "user" }.map { ($0.name, $0.value) })
        return try await relyingParty.complete(authorizationResponse: form, pending: pending, using: Self.group)
    }

    // MARK: Apps

    /// Verifies a native credential as the app with these bundle ids.
    func verify(
        _ credential: MockApple.NativeCredential,
        audiences: [String] = [Apple.bundleID],
        nonceIsRequired: Bool = true
    ) async throws -> VerifiedSignIn {
        try await relyingParty.verifyNative(
            idToken: Secret(credential.idToken), audiences: audiences,
            nonce: credential.rawNonce.map { NoncePair(raw: $0).hashed }, rawNonce: credential.rawNonce ?? "",
            nonceIsRequired: nonceIsRequired, code: credential.authorizationCode, in: RequestScope(on: Self.loop)
        ).get()
    }

    /// A native credential of the first person.
    func credential(
        bundleID: String = Apple.bundleID, rawNonce: String? = "raw-nonce"
    ) throws -> MockApple.NativeCredential {
        try apple.nativeCredential(bundleID: bundleID, rawNonce: rawNonce, person: MockApple.Person.mock[0])
    }

    // MARK: Requests

    /// Posts a form to Apple.
    func post(_ path: String, _ form: [(String, String)]) async throws -> (status: Int, body: String) {
        var request = HTTPClientRequest(url: apple.issuer + path)
        request.method = .POST
        request.headers = ["content-type": "application/x-www-form-urlencoded"]
        request.body = .bytes(ByteBuffer(string: FormURLEncoding.encode(form)))
        let response = try await browser.execute(request, timeout: .seconds(30))
        let body = try await response.body.collect(upTo: 65_536)
        return (Int(response.status.code), String(buffer: body))
    }

    /// The paths that were asked of Apple, in their order.
    var paths: [String] { apple.recordedRequests().map(\.path) }

    /// The requests to one path.
    func requests(to path: String) -> [OpenIDProvider.RecordedRequest] {
        apple.recordedRequests().filter { $0.path == path }
    }
}
