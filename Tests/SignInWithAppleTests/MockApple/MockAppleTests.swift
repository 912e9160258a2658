// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple
import SignInWithAppleTesting
import Testing
import TestingSupport

/// The mock Apple is as strict as the real one: what it let pass would prove nothing.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct MockAppleTests {
    /// A client secret that is wrong in one thing.
    struct Lie: Sendable, CustomStringConvertible {
        let description: String
        let make: @Sendable (SigningKey, JSONObject) throws -> String

        init(_ description: String, _ make: @escaping @Sendable (SigningKey, JSONObject) throws -> String) {
            self.description = description
            self.make = make
        }

        /// The same with one claim replaced.
        init(_ description: String, _ claim: String, _ value: JSONValue?) {
            self.init(description) { key, claims in
                var claims = claims
                claims[claim] = value
                return try key.sign(claims, header: ["kid": .string(Apple.keyID)])
            }
        }
    }

    static let lies = [
        Lie("not a JWT") { _, _ in "secret" },
        Lie("alg is not ES256") { _, claims in
            try SigningKey.generate(.eddsa).sign(claims, header: ["kid": .string(Apple.keyID)])
        },
        Lie("kid is missing") { key, claims in
            try key.sign(header: ["alg": "ES256"], payload: claims.serialized())
        },
        Lie("kid is unknown") { key, claims in try key.sign(claims) },
        Lie("the signature is wrong") { _, claims in
            try SigningKey.generate(.es256).sign(claims, header: ["kid": .string(Apple.keyID)])
        },
        Lie("the signature is not 64 bytes") { key, claims in
            try key.sign(claims, header: ["kid": .string(Apple.keyID)]) + "AAAA"
        },
        Lie("iss is not the team", "iss", .string(Apple.otherTeamID)),
        Lie("sub is not the client", "sub", .string(Apple.bundleID)),
        Lie("aud is not the issuer", "aud", "https://appleid.apple.com"),
        Lie("iat or exp is missing", "iat", nil),
        Lie("iat or exp is missing", "exp", nil),
        Lie("iat is in the future", "iat", .number(JSONNumber(Apple.now + 61))),
        Lie("it has expired", "exp", .number(JSONNumber(Apple.now))),
        Lie("it lives longer than six months", "exp", .number(JSONNumber(Apple.now + 15_777_001))),
    ]

    @Test(.attack(.appleClientSecret), arguments: lies)
    func `a client secret that Apple would refuse is refused`(lie: Lie) async throws {
        let developerKey = MockApple.DeveloperKey.make(teamID: Apple.teamID, keyID: Apple.keyID)
        try await AppleSession.run(AppleSetting(developerKey: developerKey)) { session in
            let key = try SigningKey(pem: developerKey.privateKey.exposed)
            let honest: JSONObject = [
                "iss": .string(Apple.teamID), "iat": .number(JSONNumber(Apple.now)),
                "exp": .number(JSONNumber(Apple.now + 15_777_000)), "aud": .string(session.apple.issuer),
                "sub": .string(Apple.servicesID),
            ]
            func status(_ secret: String) async throws -> Int {
                try await session.post(
                    "/auth/revoke",
                    [("client_id", Apple.servicesID), ("client_secret", secret), ("token", "unknown")]
                ).status
            }
            let accepted = try await status(try key.sign(honest, header: ["kid": .string(Apple.keyID)]))
            #expect(accepted == 200)
            let refused = try await status(try lie.make(key, honest))
            #expect(refused == 400)
            #expect(session.apple.clientSecretRefusals() == [lie.description])
        }
    }

    @Test func `a key of another team does not serve`() async throws {
        try await AppleSession.run { session in
            let other = MockApple.DeveloperKey.make(teamID: Apple.otherTeamID)
            try session.apple.register(other)
            let stranger = session.relyingParty(
                clientID: Apple.servicesID, clientSecret: session.apple.clientSecret(try other.appleKey()))
            let error = await #expect(throws: RelyingPartyError.self) {
                try await stranger.revokeAppleToken(Secret("token"), using: AppleSession.group)
            }
            #expect(error?.providerError?.code == "invalid_client")
            #expect(session.apple.clientSecretRefusals() == ["the key is another team's"])
        }
    }

    @Test(
        .attack(.appleScopesInQuery),
        arguments: [
            (["response_mode": "query"], "form_post when name or email"), (["client_id": "unknown"], "invalid_client"),
            (["client_id": Apple.bundleID], "invalid_client"),
            (["redirect_uri": "https://evil.example"], "redirect url"),
            (["response_type": "token"], "unsupported_response_type"), (["scope": "openid profile"], "invalid_scope"),
            (
                ["scope": "openid", "response_mode": "query", "response_type": "code id_token"], "must not be query"
            ),
        ] as [([String: String], String)])
    func `an authorization request that Apple would refuse is refused`(
        change: [String: String], message: String
    ) async throws {
        try await AppleSession.run { session in
            let honest = [
                "client_id": Apple.servicesID, "redirect_uri": Apple.redirectURI, "response_type": "code",
                "response_mode": "form_post", "scope": "name email", "state": "state",
            ]
            let request = honest.merging(change) { _, changed in changed }
            let response = try await session.post("/auth/authorize", request.map { ($0.key, $0.value) })
            #expect(response.status == 400)
            #expect(response.body.contains(message))
            let accepted = try await session.post("/auth/authorize", honest.map { ($0.key, $0.value) })
            #expect(accepted.status == 200)
        }
    }

    @Test func `a native code with a redirect URI is refused`() async throws {
        try await AppleSession.run { session in
            let credential = try session.credential()
            let secret = try session.clientSecret.clientSecret(forClientID: Apple.bundleID, now: Apple.now)
            let response = try await session.post(
                "/auth/token",
                [
                    ("grant_type", "authorization_code"), ("code", credential.authorizationCode),
                    ("redirect_uri", Apple.redirectURI), ("client_id", Apple.bundleID),
                    ("client_secret", secret.exposed),
                ])
            #expect(response.status == 400)
            #expect(response.body.contains("redirect_uri mismatch"))
        }
    }

    @Test func `subjects and relay addresses are another for each team`() async throws {
        try await AppleSession.run(AppleSetting(person: 1)) { session in
            let before = try await session.signIn().signIn
            session.apple.transfer(client: Apple.servicesID, toTeam: Apple.otherTeamID)
            let key = MockApple.DeveloperKey.make(teamID: Apple.otherTeamID)
            try session.apple.register(key)
            try session.clientSecret.replaceKey(key.appleKey())
            let after = try await session.signIn().signIn
            #expect(after.subject != before.subject)
            #expect(after.claims.string("email") != before.claims.string("email"))
            #expect(AppleClaims(after.claims).isPrivateRelayAddress)
        }
    }

    @Test func `over TLS it is trusted by its own certificate alone`() async throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["127.0.0.1"])
        var configuration = MockApple.Configuration(
            clients: [.bundleID(Apple.bundleID, teamID: Apple.teamID)], certificate: certificate)
        configuration.signingAlgorithm = .es256
        let apple = try await MockApple.start(configuration, on: AppleSession.group)
        let transport = AsyncHTTPClientTransport(eventLoopGroup: AppleSession.group)
        let credential = try apple.nativeCredential(
            bundleID: Apple.bundleID, rawNonce: "raw", person: MockApple.Person.mock[0])
        func verify(_ configuration: ProviderConfiguration) async throws -> String? {
            try await RelyingParty(configuration: configuration, transport: transport).verifyNative(
                idToken: Secret(credential.idToken), audiences: [Apple.bundleID],
                nonce: NoncePair(raw: "raw").hashed, in: RequestScope(on: AppleSession.loop)
            ).get().audience
        }
        let honest = apple.providerConfiguration(
            clientID: "", redirectURI: "", clientSecret: apple.clientSecret(nil))
        var trusting = honest
        trusting.certificateAuthorities = nil
        let result: Result<String?, any Error>
        let refusal: (any Error)?
        do { result = .success(try await verify(honest)) } catch { result = .failure(error) }
        do {
            _ = try await verify(trusting)
            refusal = nil
        } catch { refusal = error }
        try await transport.shutdown()
        try await apple.shutdown()
        let audience = try result.get()
        #expect(apple.issuer.hasPrefix("https://127.0.0.1:"))
        #expect(audience == Apple.bundleID)
        #expect((refusal as? RelyingPartyError)?.step == .discovery)
    }

    @Test func `a notification is posted as JSON, again and again until it is taken`() async throws {
        try await AppleSession.run { session in
            // Another mock Apple plays the server that does not take it.
            try await AppleSession.run { other in
                let notification = session.apple.notification(
                    "consent-revoked", about: MockApple.Person.mock[0], to: Apple.servicesID)
                let statuses = try await session.apple.deliver(
                    notification, to: other.apple.issuer + "/__/auth/notifications/apple", attempts: 3)
                #expect(statuses == [404, 404, 404])
                let requests = other.apple.recordedRequests()
                #expect(requests.map(\.method) == ["POST", "POST", "POST"])
                #expect(requests.allSatisfy { $0.header("content-type") == "application/json" })
                #expect(requests.allSatisfy { $0.path == "/__/auth/notifications/apple" })
            }
        }
    }

    @Test func `an unregistered bundle id has no credential`() async throws {
        try await AppleSession.run { session in
            for unknown in ["com.example.unknown", Apple.servicesID] {
                #expect(throws: MockApple.UnknownBundleID(bundleID: unknown)) {
                    try session.credential(bundleID: unknown)
                }
            }
        }
    }
}
