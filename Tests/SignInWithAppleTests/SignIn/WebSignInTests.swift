// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple
import SignInWithAppleTesting
import Testing
import TestingSupport

/// Sign-ins by the web flow from end to end.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct WebSignInTests {
    @Test(arguments: [ResponseType.code, .codeIDToken])
    func `a sign-in with Apple`(responseType: ResponseType) async throws {
        try await AppleSession.run(AppleSetting(responseType: responseType)) { session in
            let (signIn, fields) = try await session.signIn()
            #expect(signIn.issuer == session.apple.issuer)
            #expect(signIn.claims.string("aud") == Apple.servicesID)
            let claims = AppleClaims(signIn.claims)
            #expect(claims.email == "ada@example.com")
            #expect(claims.emailIsVerified)
            #expect(claims.isPrivateEmail == nil)
            #expect(!claims.isPrivateRelayAddress)
            #expect(signIn.refreshToken != nil)
            #expect(signIn.claims.string("nonce") == NoncePair(raw: signIn.rawNonce).hashed)
            #expect(fields.contains { $0.name == "id_token" } == (responseType == .codeIDToken))
            let authorization = try #require(session.requests(to: "/auth/authorize").first)
            #expect(authorization.parameter("response_mode") == "form_post")
            #expect(authorization.parameter("response_type") == responseType.name)
            #expect(authorization.parameter("scope") == "openid name email")
            #expect(authorization.parameter("nonce") == NoncePair(raw: signIn.rawNonce).hashed)
            let exchange = try #require(session.requests(to: "/auth/token").first)
            #expect(exchange.header("authorization") == nil)
            #expect(exchange.parameter("client_id") == Apple.servicesID)
            #expect(exchange.parameter("client_secret") != nil)
            #expect(exchange.parameter("redirect_uri") == Apple.redirectURI)
        }
    }

    @Test func `RS256, as Apple signs, and booleans as text`() async throws {
        try await AppleSession.run(
            AppleSetting(person: 1, algorithm: .rs256, writesBooleansAsText: true)
        ) { session in
            let claims = AppleClaims(try await session.signIn().signIn.claims)
            #expect(claims.claims.string("email_verified") == "true")
            #expect(claims.emailIsVerified)
            #expect(claims.isPrivateEmail == true)
            #expect(claims.isPrivateRelayAddress)
            #expect(claims.nonceIsSupported == true)
        }
    }

    @Test(.attack(.appleClientSecret)) func `fifty sign-ins at once need one client secret`() async throws {
        try await AppleSession.run { session in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<50 { group.addTask { _ = try await session.signIn() } }
                try await group.waitForAll()
            }
            #expect(session.apple.counts().codeExchanges == 50)
            #expect(session.apple.counts().clientSecrets == 1)
            session.clock.advance(by: 300)
            _ = try await session.signIn()
            #expect(session.apple.counts().clientSecrets == 2)
        }
    }

    @Test(.attack(.applePrivateKey))
    func `the key is replaced, the old one is withdrawn, and sign-ins go on`() async throws {
        try await AppleSession.run { session in
            _ = try await session.signIn()
            let next = MockApple.DeveloperKey.make(teamID: Apple.teamID)
            try session.apple.register(next)
            try session.clientSecret.replaceKey(next.appleKey())
            session.apple.withdraw(keyID: try #require(try session.keyIDOfLastSecret()))
            _ = try await session.signIn()
            #expect(try session.keyIDOfLastSecret() == next.keyID)
            #expect(session.apple.counts().refusedClientSecrets == 0)
        }
    }

    @Test func `a withdrawn key is Apple's invalid_client, and nothing is sent twice`() async throws {
        let key = MockApple.DeveloperKey.make(teamID: Apple.teamID)
        try await AppleSession.run(AppleSetting(developerKey: key)) { session in
            session.apple.withdraw(keyID: key.keyID)
            let error = await #expect(throws: RelyingPartyError.self) { try await session.signIn() }
            #expect(error?.step == .token)
            #expect(error?.providerError?.code == "invalid_client")
            #expect(error?.isTemporary == false)
            #expect(session.requests(to: "/auth/token").count == 1)
        }
    }

    @Test func `without a key the web flow says why not`() async throws {
        try await AppleSession.run(AppleSetting(hasKey: false)) { session in
            let error = await #expect(throws: RelyingPartyError.self) { try await session.signIn() }
            #expect(error?.step == .token)
            #expect("\(String(describing: error))".contains("team id, key id and private key"))
            #expect(session.requests(to: "/auth/token").isEmpty)
        }
    }

    @Test(.attack(.unsignedAppleUser))
    func `the name comes at the first consent, and again after a revocation`() async throws {
        try await AppleSession.run { session in
            let (first, fields) = try await session.signIn()
            let user = fields.first { $0.name == "user" }?.value
            #expect(user.flatMap(AppleUser.init(json:))?.displayName == "Ada Example")
            let second = try await session.signIn()
            #expect(!second.fields.contains { $0.name == "user" })
            #expect(second.signIn.subject == first.subject)
            // The email comes each time, from the ID token.
            #expect(second.signIn.claims.string("email") == "ada@example.com")
            try await session.relyingParty.revokeAppleToken(
                try #require(first.refreshToken), using: AppleSession.group)
            let third = try await session.signIn()
            #expect(third.fields.contains { $0.name == "user" })
        }
    }

    @Test(
        .attack(.unsignedAppleUser),
        arguments: [
            (.malformedUser, nil), (.oversizedUser, nil),
            (.scriptInUser, "<script>alert(1)</script> \"><img src=x onerror=alert(2)>"),
            (.longUser, String(repeating: "x", count: 255) + " Example"), (.otherEmailInUser, "Ada Example"),
        ] as [(MockApple.Misbehavior, String?)])
    func `whatever stands in user, the sign-in holds and its email is the ID token's`(
        misbehavior: MockApple.Misbehavior, name: String?
    ) async throws {
        try await AppleSession.run(AppleSetting(misbehavior: misbehavior)) { session in
            let (signIn, fields) = try await session.signIn()
            let user = fields.first { $0.name == "user" }.flatMap { AppleUser(json: $0.value) }
            #expect(user?.displayName == name)
            #expect(AppleClaims(signIn.claims).email == "ada@example.com")
        }
    }

    @Test(.attack(.missingAppleNonce), arguments: [MockApple.Misbehavior.nonceUnsupported, .missingNonce])
    func `a token without its nonce is not taken, whatever it says`(
        misbehavior: MockApple.Misbehavior
    ) async throws {
        try await AppleSession.run(AppleSetting(misbehavior: misbehavior)) { session in
            let error = await #expect(throws: RelyingPartyError.self) { try await session.signIn() }
            #expect(error?.finding?.check == "nonce")
        }
    }

    @Test(.attack(.appleCancellation)) func `canceling leads to user_cancelled_authorize`() async throws {
        try await AppleSession.run { session in
            let start = try await session.relyingParty.begin(using: AppleSession.group)
            let (url, pending) = (start.url, start.pending)
            let query = try #require(url.split(separator: "?", maxSplits: 1).last)
            let page = try await session.post(
                "/auth/authorize",
                [
                    ("authorization_request", String(query)), ("email", "ada@example.com"),
                    ("password", "analytical-engine"), ("decision", "deny"),
                ])
            let fields = try #require(PageForm(html: page.body)).hidden.map { (name: $0.0, value: $0.1) }
            #expect(fields.map(\.name) == ["state", "error"])
            let error = await #expect(throws: RelyingPartyError.self) { try await session.complete(fields, pending) }
            #expect(error?.providerError?.code == "user_cancelled_authorize")
            #expect(session.requests(to: "/auth/token").isEmpty)
        }
    }

    @Test(
        .attack(.appleFrontChannelToken),
        arguments: [
            (.wrongCodeHash, "code hash", false), (.missingCodeHash, "code hash", false), (.wrongNonce, "nonce", false),
            (.wrongAudience, "audience", false), (.wrongIssuer, "issuer", false), (.wrongSignature, nil, false),
            (.otherSubjectFromTokenEndpoint, "subject continuity", true),
        ] as [(MockApple.Misbehavior, String?, Bool)])
    func `the ID token beside the code is validated before the code is exchanged`(
        misbehavior: MockApple.Misbehavior, check: String?, isExchanged: Bool
    ) async throws {
        try await AppleSession.run(AppleSetting(misbehavior: misbehavior)) { session in
            let error = await #expect(throws: RelyingPartyError.self) { try await session.signIn() }
            #expect(error?.step == .idToken)
            #expect(error?.finding?.check == check)
            #expect(session.requests(to: "/auth/token").count == (isExchanged ? 1 : 0))
        }
    }

    @Test(.attack(.appleAudienceSwap)) func `a bundle id's token is not taken by the web flow`() async throws {
        try await AppleSession.run { session in
            let start = try await session.relyingParty.begin(using: AppleSession.group)
            let (url, pending) = (start.url, start.pending)
            var fields = try await session.visit(url)
            let native = try session.credential(rawNonce: pending.nonce.exposed)
            for index in fields.indices where fields[index].name == "id_token" { fields[index].value = native.idToken }
            for index in fields.indices where fields[index].name == "code" {
                fields[index].value = native.authorizationCode
            }
            let swapped = fields
            let error = await #expect(throws: RelyingPartyError.self) {
                try await session.complete(swapped, pending)
            }
            #expect(error?.finding?.check == "audience")
            #expect(session.requests(to: "/auth/token").isEmpty)
        }
    }
}

extension AppleSession {
    /// `kid` of the client secret that was sent last.
    func keyIDOfLastSecret() throws -> String? {
        let secret = requests(to: "/auth/token").last?.parameter("client_secret")
        return try secret.flatMap { try parts(of: $0).header["kid"]?.text?.makeString() }
    }
}
