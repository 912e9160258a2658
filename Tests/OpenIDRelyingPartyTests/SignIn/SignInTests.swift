// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// Sign-ins from end to end with an honest provider.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct SignInTests {
    @Test(arguments: [.rs256, .es256, .ps256, .eddsa, .ed25519] as [OpenIDProvider.SigningAlgorithm])
    func `a sign-in with each signature algorithm`(algorithm: OpenIDProvider.SigningAlgorithm) async throws {
        try await SignInSession.run(SignInSetting(algorithm: algorithm)) { session in
            let signIn = try await session.signIn()
            #expect(signIn.issuer == session.provider.issuer)
            #expect(signIn.subject == "person-ada")
            #expect(signIn.claims.string("sub") == "person-ada")
            #expect(signIn.claims.string("at_hash") != nil)
            #expect(signIn.expiresIn == .seconds(3600))
            #expect(signIn.accessToken?.exposed.isEmpty == false)
            #expect(signIn.refreshToken == nil)
            #expect(try JSONWebSignature(compact: signIn.idToken.exposed).algorithm.rawValue == algorithm.rawValue)
            #expect(
                session.paths == ["/.well-known/openid-configuration", "/authorize", "/token", "/jwks"])
        }
    }

    @Test(.attack(.interleavedLogins)) func `two sign-ins share metadata and keys and nothing else`() async throws {
        try await SignInSession.run { session in
            let (firstURL, first) = try await session.begin()
            let (secondURL, second) = try await session.begin()
            #expect(first.state != second.state)
            #expect(first.nonce != second.nonce)
            #expect(first.codeVerifier != second.codeVerifier)
            // Finished in the other order.
            let secondCallback = try await session.visit(secondURL)
            let firstCallback = try await session.visit(firstURL)
            #expect(try await session.complete(secondCallback, second).rawNonce == second.nonce.exposed)
            #expect(try await session.complete(firstCallback, first).rawNonce == first.nonce.exposed)
            #expect(session.requests(to: "/.well-known/openid-configuration").count == 1)
            #expect(session.requests(to: "/jwks").count == 1)
        }
    }

    @Test(arguments: ["p:\u{E4}/ %+", "plain", "a+b=c&d", "100%25"])
    func `client_secret_basic`(secret: String) async throws {
        let setting = SignInSetting(
            clientID: "client:\u{E4} %", clientSecret: secret, requiredAuthentication: .clientSecretBasic)
        try await SignInSession.run(setting) { session in
            _ = try await session.signIn()
            let request = try #require(session.requests(to: "/token").first)
            #expect(request.header("authorization")?.hasPrefix("Basic ") == true)
            #expect(request.parameter("client_secret") == nil)
        }
    }

    @Test(arguments: ["p:\u{E4}/ %+", "plain", "a+b=c&d", "100%25"])
    func `client_secret_post`(secret: String) async throws {
        let setting = SignInSetting(
            clientID: "client:\u{E4} %", clientSecret: secret, requiredAuthentication: .clientSecretPost,
            configuredAuthentication: .clientSecretPost)
        try await SignInSession.run(setting) { session in
            _ = try await session.signIn()
            let request = try #require(session.requests(to: "/token").first)
            #expect(request.header("authorization") == nil)
            #expect(request.parameter("client_id") == "client:\u{E4} %")
            #expect(request.parameter("client_secret") == secret)
        }
    }

    @Test(
        arguments: [
            (["client_secret_post"], true), (["client_secret_basic"], false), ([], false),
            (["private_key_jwt", "client_secret_post"], true),
        ] as [([String], Bool)])
    func `the metadata chooses the proof`(announced: [String], isPost: Bool) async throws {
        let setting = SignInSetting(
            requiredAuthentication: isPost ? .clientSecretPost : .clientSecretBasic, announcedAuthentication: announced)
        try await SignInSession.run(setting) { session in
            do {
                let value = try await session.signIn().subject
                #expect(value == "person-ada")
            }
        }
    }

    @Test func `a provider with no proof in common is not sent the code`() async throws {
        try await SignInSession.run(SignInSetting(announcedAuthentication: ["private_key_jwt"])) { session in
            let error = await #expect(throws: RelyingPartyError.self) { try await session.signIn() }
            #expect(error?.step == .token)
            #expect(session.paths == ["/.well-known/openid-configuration", "/authorize"])
        }
    }

    @Test func `a public client signs in with PKCE alone`() async throws {
        try await SignInSession.run(SignInSetting(clientSecret: nil)) { session in
            _ = try await session.signIn()
            let request = try #require(session.requests(to: "/token").first)
            #expect(request.header("authorization") == nil)
            #expect(request.parameter("client_id") == "client")
            #expect(request.parameter("client_secret") == nil)
            #expect(request.parameter("code_verifier")?.utf8.count == 43)
        }
    }

    @Test func `a provider that does not announce iss does without`() async throws {
        try await SignInSession.run(SignInSetting(announcesIssuer: false)) { session in
            do {
                let value = try await session.signIn().subject
                #expect(value == "person-ada")
            }
        }
    }

    @Test(
        arguments: [
            (["openid", "groups"], ["staff"]), (["openid", "email", "profile"], nil),
        ] as [([String], [String]?)])
    func `the scope groups gets the groups of the user, and no other scope does`(
        scopes: [String], groups: [String]?
    ) async throws {
        try await SignInSession.run(SignInSetting(scopes: scopes)) { session in
            let signIn = try await session.signIn()
            #expect(signIn.claims.strings("groups") == groups)
        }
    }

    @Test func `UserInfo is asked with the access token in the header, after the ID token passed`() async throws {
        let setting = SignInSetting(scopes: ["openid", "email", "profile"], userInfo: true)
        try await SignInSession.run(setting) { session in
            let signIn = try await session.signIn()
            #expect(session.paths.last == "/userinfo")
            let request = try #require(session.requests(to: "/userinfo").first)
            #expect(request.method == "GET")
            #expect(request.parameters.isEmpty)
            #expect(request.header("authorization") == signIn.accessToken.map { "Bearer " + $0.exposed })
            #expect(signIn.claims.string("email") == "ada@example.com")
            #expect(signIn.claims.boolean("email_verified") == true)
            #expect(signIn.claims.string("name") == "Ada Example")
            #expect(signIn.claims.string("sub") == "person-ada")
        }
    }

    @Test func `max_age is sent, and auth_time is asked of the ID token`() async throws {
        try await SignInSession.run { session in
            let signIn = try await session.signIn(maximumAge: .seconds(300))
            #expect(signIn.claims.integer("auth_time") == session.clock.now())
            #expect(session.requests(to: "/authorize").first?.parameter("max_age") == "300")
            // The same callback, validated by a sign-in that had sent max_age without the provider knowing.
            let (url, pending) = try await session.begin()
            let asking = PendingSignIn(
                state: pending.state, nonce: pending.nonce, codeVerifier: pending.codeVerifier,
                maximumAge: .seconds(300))
            let query = try await session.visit(url)
            let error = await #expect(throws: RelyingPartyError.self) { try await session.complete(query, asking) }
            #expect(error?.finding?.check == "authentication time")
        }
    }

    @Test(
        .attack(.providerClockSkew),
        arguments: [
            (60, 60, nil), (60, -60, nil), (60, 61, "issued at"), (240, 240, nil), (299, 299, nil),
            (299, 300, "issued at"),
            (60, -359, nil), (60, -360, "expiry"), (299, 240, nil), (299, -240, nil), (299, 660, "issued at"),
            (299, -660, "expiry"),
        ] as [(Int64, Int64, String?)])
    func `the provider's clock may be off by the skew`(skew: Int64, ahead: Int64, check: String?) async throws {
        try await SignInSession.run(SignInSetting(clockSkew: skew, providerIsAhead: ahead)) { session in
            if let check {
                let error = await #expect(throws: RelyingPartyError.self) { try await session.signIn() }
                #expect(error?.finding?.check == check)
                #expect(error?.finding?.description.contains("clock skew") == true)
            } else {
                do {
                    let value = try await session.signIn().subject
                    #expect(value == "person-ada")
                }
            }
        }
    }
}
