// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import BrowserTesting
import JOSE
import NIOCore
import NIOHTTP1
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple
import SignInWithAppleTesting
import Testing
import TestingSupport

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

typealias AppleSession = ProviderSession<MockApple>

extension AppleSession {
    var apple: MockApple { provider }

    var clientSecret: AppleClientSecret {
        get throws { try #require(relyingParty.configuration.clientSecretSource as? AppleClientSecret) }
    }

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
        try await run(
            apple,
            apple.providerConfiguration(
                clientID: setting.clientID, redirectURI: Apple.redirectURI,
                clientSecret: apple.clientSecret(setting.hasKey ? try setting.developerKey.appleKey() : nil),
                scopes: setting.scopes, responseType: setting.responseType),
            clock: clock, body)
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
        let (response, page) = try await send(HTTPClientRequest(url: url))
        try #require(response.status == .ok)
        try #require(page.contains("action=\"\(Apple.redirectURI)\""))
        return try #require(PageForm(html: page)).hidden.map { (name: $0.0, value: $0.1) }
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

    /// A native credential of the first user.
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
        let (response, body) = try await send(request)
        return (Int(response.status.code), body)
    }
}
