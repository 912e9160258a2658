// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple
import Synchronization
import Testing
import TestingSupport

@testable import OIDCBrokerConfiguration
@testable import SignInWithAppleTesting

/// Apple in memory, with Apple's own issuer: the mock Apple without its listener, and as strict.
final class StubApple: Sendable {
    static let issuer = "https://appleid.apple.com"
    static let teamID = "TEAM123456"
    static let servicesID = "com.example.web"
    static let bundleID = "com.example.app"
    static let otherBundleID = "com.example.other"
    static let ada = MockApple.Person.mock[0]
    static let grace = MockApple.Person.mock[1]

    private struct State {
        var requests: [ProviderRequest] = []
        var isDown = false
        var issued: [String] = []
    }

    /// The key that the broker has.
    let developerKey = MockApple.DeveloperKey.make(teamID: StubApple.teamID)
    private let engine: ProviderEngine<AppleState>
    private let state = Mutex(State())

    /// - Parameters:
    ///   - person: The user who signs in.
    ///   - writesBooleansAsText: whether Apple's truth values are texts.
    init(clock: TestClock, person: Int = 0, writesBooleansAsText: Bool = false) throws {
        var configuration = MockApple.Configuration(
            clients: [
                .servicesID(
                    Self.servicesID, teamID: Self.teamID, redirectURIs: [Installation.origin + Installation.handler]),
                .bundleID(Self.bundleID, teamID: Self.teamID), .bundleID(Self.otherBundleID, teamID: Self.teamID),
            ],
            developerKeys: [developerKey], interaction: .automatic(person))
        configuration.signingAlgorithm = .es256
        configuration.writesBooleansAsText = writesBooleansAsText
        configuration.clock = clock
        engine = ProviderEngine(
            try AppleState(configuration: configuration, key: SigningKey.generate(.es256)))
        engine.update { $0.issuer = Self.issuer }
    }

    /// The provider as the broker is configured with it.
    var configuration: BrokerConfiguration.Provider {
        .apple(
            clientID: Self.servicesID, teamID: Self.teamID, keyID: developerKey.keyID,
            privateKey: developerKey.privateKey)
    }

    /// Adds the provider, and gives the app `shop`, which is public, and the app `back`, which is not, a bundle id
    /// each.
    func add(to configuration: inout BrokerConfiguration) {
        configuration.providers.append(self.configuration)
        configuration.apps[0].nativeAudiences = [.init(provider: "apple.com", audience: Self.bundleID)]
        configuration.apps[1].nativeAudiences = [.init(provider: "apple.com", audience: Self.otherBundleID)]
    }

    // MARK: What it does

    func behave(_ misbehavior: MockApple.Misbehavior) { engine.update { $0.settings.misbehavior = misbehavior } }
    func goDown(_ isDown: Bool = true) { state.withLock { $0.isDown = isDown } }

    /// Registers one more key of the team.
    func register(_ key: MockApple.DeveloperKey) throws {
        let registered = try RegisteredKey(key)
        engine.update { $0.developerKeys.append(registered) }
    }

    /// Revokes a key of the team.
    func withdraw(keyID: String) {
        engine.update { state in state.developerKeys.removeAll { $0.keyID == keyID } }
    }

    // MARK: What it saw

    var counts: MockApple.Counts { engine.update { $0.counts } }
    /// The forms that were posted to a path, in their order.
    func forms(_ path: String) -> [Query] {
        state.withLock { $0.requests }.filter { $0.url.path == path }.map { Query($0.form ?? "") }
    }
    /// The paths that were asked, in their order.
    var paths: [String] { state.withLock { $0.requests }.map(\.url.path) }
    /// Every code and token that it issued, and every secret it was given.
    var secrets: [String] {
        let sent = state.withLock { $0.requests }.flatMap { Query($0.form ?? "").pairs }
            .filter { ["client_secret", "code", "token", "refresh_token", "code_verifier"].contains($0.name) }
            .map(\.value)
        return sent + state.withLock { $0.issued }
    }

    // MARK: Requests

    func execute(_ request: ProviderRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ProviderResponse> {
        let isDown = state.withLock { state in
            state.requests.append(request)
            return state.isDown
        }
        guard !isDown else { return eventLoop.makeFailedFuture(ProviderTransportError.unreachable) }
        return engine.execute(request, on: eventLoop).map { response in
            let object = Self.json(Array(response.body.readableBytesView))
            for name in ["access_token", "refresh_token", "id_token"] { self.note(object?[name]?.text?.makeString()) }
            return response
        }
    }

    private func note(_ secret: String?) {
        if let secret { state.withLock { $0.issued.append(secret) } }
    }

    private static func json(_ bytes: [UInt8]) -> JSONObject? {
        try? JSONParser.object(bytes, limits: JSONLimits(maximumBytes: 1 << 20))
    }

    // MARK: The user

    /// The user signs in at the URL that the browser was sent to: the fields of the form that Apple's page posts.
    func signIn(_ request: Location, sourceLocation: SourceLocation = #_sourceLocation) throws -> [(String, String)] {
        #expect(request.base == Self.issuer + "/auth/authorize", sourceLocation: sourceLocation)
        let query = request.text.dropFirst(request.base.count)
        let response = engine.respond(
            to: ReceivedRequest(method: "GET", target: "/auth/authorize" + query, headers: [], body: []))
        let page = String(decoding: response.body, as: UTF8.self)
        let fields = try #require(PageForm(html: page), "\(page)", sourceLocation: sourceLocation).hidden
        for (name, value) in fields where name == "code" || name == "id_token" { note(value) }
        return fields
    }

    /// What an iOS app gets of the system, without a server.
    /// - Parameters:
    ///   - changes: claims that replace the honest ones; null takes one out.
    func credential(
        _ bundleID: String = StubApple.bundleID, rawNonce: String? = "raw-nonce-of-the-app",
        person: MockApple.Person = StubApple.ada, changes: JSONObject = [:]
    ) throws -> (idToken: String, code: String) {
        let nonce = rawNonce.map { NoncePair(raw: $0).hashed }
        let (token, code, key) = engine.update { state -> (AppleIDToken, String, SigningKey) in
            let grant = AppleGrant(
                client: .bundleID(bundleID, teamID: Self.teamID), person: person, redirectURI: nil,
                scopes: ["name", "email"], nonce: nonce, codeChallenge: nil, hidesEmail: person.hidesEmail,
                authTime: state.now, realUserStatus: person.realUserStatus, transferSubject: nil)
            let code = AppleState.randomValue()
            state.codes.insert(grant, for: code, expiry: state.now + 300, now: state.now)
            return (state.idToken(grant, code: code), code, state.key)
        }
        let text = try token.text()
        note(code)
        guard changes.count > 0 else {
            note(text)
            return (text, code)
        }
        var claims = try Self.claims(of: text)
        for member in changes.members { claims[member.name] = member.value == .null ? nil : member.value }
        let changed = try key.sign(claims)
        note(changed)
        return (changed, code)
    }

    /// Returns the claims of a token without verification: three segments. The second one is JSON.
    static func claims(of token: String) throws -> JSONObject {
        let segments = token.split(separator: ".")
        let payload = try #require(segments.count == 3 ? Base64URL.decode(String(segments[1])) : nil)
        return try #require(json(payload))
    }

    /// Returns the body of a notification, signed by Apple or by another key.
    func notification(
        _ type: String, identifier: String = "jti-1", audience: String = StubApple.servicesID,
        issuedAt: Int64 = 1_800_000_000,
        isSignedByApple: Bool = true, event: JSONObject = [:]
    ) throws -> String {
        var members: JSONObject = [
            "type": .string(type), "sub": .string(Self.ada.subject(teamID: Self.teamID)),
            "event_time": .number(JSONNumber(issuedAt * 1000)),
        ]
        for member in event.members { members[member.name] = member.value == .null ? nil : member.value }
        let own = engine.update { $0.key }
        let signer = isSignedByApple ? own : try SigningKey.generate(.es256)
        let claims: JSONObject = [
            "iss": .string(Self.issuer), "aud": .string(audience), "iat": .number(JSONNumber(issuedAt)),
            "exp": .number(JSONNumber(issuedAt + 86_400)), "jti": .string(identifier),
            "events": .string(String(decoding: members.serialized(), as: UTF8.self)),
        ]
        let payload = try signer.sign(claims, header: ["kid": .string(own.keyID)])
        note(payload)
        let body: JSONObject = ["payload": .string(payload)]
        return String(decoding: body.serialized(), as: UTF8.self)
    }
}
