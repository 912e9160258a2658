// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import HTTPTypes
import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithAppleTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages
@testable import OIDCBrokerRecords

/// An app revokes a user's grant, for example when the user deletes their account.
@Suite struct RevocationEndpointTests {
    /// A setup whose apps get Apple's tokens.
    private func makeSetup(configure: (inout BrokerConfiguration) -> Void = { _ in }) throws -> AppleSetup {
        try AppleSetup {
            $0.apps[0].upstreamTokens = true
            configure(&$0)
        }
    }

    private func refreshToken(_ response: JSONObject) throws -> String {
        try #require(response["upstream"]?.objectValue?["refresh_token"]?.text?.makeString())
    }

    private func idToken(_ response: JSONObject) throws -> String {
        try #require(response["id_token"]?.text?.makeString())
    }

    private func expect(
        _ response: BrokerResponse, _ error: String?, status: Int = 400,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        guard let error else {
            #expect(response.status == 200, "\(response.text)", sourceLocation: sourceLocation)
            #expect(response.body.readableBytes == 0, sourceLocation: sourceLocation)
            return
        }
        #expect(response.status == status, "\(response.text)", sourceLocation: sourceLocation)
        #expect(try response.json()["error"]?.text?.makeString() == error, sourceLocation: sourceLocation)
    }

    // MARK: Confidential apps

    @Test(.attack(.foreignAppleRevocation))
    func `a confidential app revokes a token of the web flow, with a fresh client secret`() throws {
        let setup = try makeSetup()
        let token = try refreshToken(try setup.signIn(.back))
        setup.installation.clock.advance(by: 300)
        let form = AppleSetup.confidential + [("token", token), ("audience", StubApple.servicesID)]
        try expect(try setup.post("revoke", form), nil)
        #expect(setup.apple.counts.revocations == 1)
        let sent = try #require(setup.apple.forms("/auth/revoke").first)
        #expect(sent["client_id"] == StubApple.servicesID)
        let secret = try StubApple.claims(of: try #require(sent["client_secret"]))
        #expect(secret["iat"]?.integerValue == 1_800_000_295)
        // Idempotent: a revoked token and an unknown token count as revoked.
        try expect(try setup.post("revoke", form), nil)
        let unknown = AppleSetup.confidential + [("token", "never-was"), ("audience", StubApple.servicesID)]
        try expect(try setup.post("revoke", unknown), nil)
        #expect(setup.apple.counts.revocations == 1)
        // The next sign-in is a first one again, with the name.
        #expect(try setup.signIn()["user"] != nil)
    }

    @Test(.attack(.foreignAppleRevocation)) func `the hint goes along; another one is refused`() throws {
        let setup = try makeSetup()
        for hint in ["refresh_token", "access_token"] {
            let form =
                AppleSetup.confidential
                + [("token", "x"), ("audience", StubApple.servicesID), ("token_type_hint", hint)]
            try expect(try setup.post("revoke", form), nil)
        }
        #expect(
            setup.apple.forms("/auth/revoke").map { $0["token_type_hint"] } == ["refresh_token", "access_token"])
        let other =
            AppleSetup.confidential
            + [("token", "x"), ("audience", StubApple.servicesID), ("token_type_hint", "id_token")]
        try expect(try setup.post("revoke", other), "unsupported_token_type")
    }

    @Test(.attack(.foreignAppleRevocation))
    func `a code is exchanged with that app's bundle id, and its tokens go nowhere`() throws {
        let setup = try makeSetup()
        let code = try setup.apple.credential(StubApple.otherBundleID).code
        let form = AppleSetup.confidential + [("code", code)]
        try expect(try setup.post("revoke", form), nil)
        let exchange = try #require(setup.apple.forms("/auth/token").first)
        #expect(exchange["client_id"] == StubApple.otherBundleID)
        #expect(exchange["redirect_uri"] == nil)
        let sent = try #require(setup.apple.forms("/auth/revoke").first)
        #expect(sent["client_id"] == StubApple.otherBundleID)
        #expect(sent["token_type_hint"] == "refresh_token")
        #expect(setup.apple.counts.revocations == 1)
        // What a used code gave may still be valid.
        try expect(try setup.post("revoke", form), "invalid_grant")
        #expect(setup.apple.forms("/auth/revoke").count == 1)
    }

    @Test(.attack(.foreignAppleRevocation))
    func `a code of another app's is not exchanged with this one's bundle id`() throws {
        let setup = try makeSetup()
        let code = try setup.apple.credential(StubApple.bundleID).code
        let named = AppleSetup.confidential + [("code", code), ("audience", StubApple.bundleID)]
        try expect(try setup.post("revoke", named), "invalid_request")
        let web = AppleSetup.confidential + [("code", code), ("audience", StubApple.servicesID)]
        try expect(try setup.post("revoke", web), "invalid_request")
        #expect(setup.apple.paths == [])
    }

    @Test(.attack(.foreignAppleRevocation)) func `where Apple is down it is 503, and nothing is sent twice`() throws {
        let setup = try makeSetup()
        setup.apple.behave(.revocationUnavailable)
        let form = AppleSetup.confidential + [("token", "x"), ("audience", StubApple.servicesID)]
        try expect(try setup.post("revoke", form), "temporarily_unavailable", status: 503)
        #expect(setup.apple.forms("/auth/revoke").count == 1)
        setup.apple.goDown()
        try expect(try setup.post("revoke", form), "temporarily_unavailable", status: 503)
        setup.apple.goDown(false)
        setup.apple.behave(.refusesClientSecrets)
        try expect(try setup.post("revoke", form), "server_error", status: 500)
        #expect(setup.installation.log.outcomes == ["provider_unavailable", "failed"])
    }

    @Test(.attack(.foreignAppleRevocation))
    func `what is missing or too much is named, and Apple is not asked`() throws {
        let setup = try makeSetup(configure: {
            $0.apps[1].nativeAudiences.append(.init(provider: "apple.com", audience: "com.example.third"))
        })
        let app = AppleSetup.confidential
        let audience = ("audience", StubApple.servicesID)
        let forms: [[(String, String)]] = [
            [audience], [("token", "x"), ("code", "y"), audience], [("token", "")],
            [("code", "x")],
            [("token", "x"), ("audience", "com.somebody.else")],
            [("token", "a b"), audience], [("token", "\u{e9}"), audience],
            [("token", String(repeating: "t", count: 16_385)), audience],
            [("code", String(repeating: "c", count: 4097)), ("audience", StubApple.otherBundleID)],
            [("token", "x"), audience, ("provider", "nobody")], [("token", "x"), ("token", "x"), audience],
        ]
        for form in forms { try expect(try setup.post("revoke", app + form), "invalid_request") }
        // A token that no provider is named for may have been the broker's own.
        try expect(try setup.post("revoke", app + [("token", "x")]), nil)
        #expect(setup.apple.paths == [])
        let longest = app + [("token", String(repeating: "t", count: 16_384)), audience]
        try expect(try setup.post("revoke", longest), nil)
    }

    @Test(.attack(.foreignAppleRevocation))
    func `without a key nothing can be revoked, and the response says why`() throws {
        let setup = try makeSetup {
            $0.providers[0].configuration.clientID = ""
            $0.providers[0].apple?.teamID = nil
            $0.providers[0].apple?.keyID = nil
            $0.providers[0].apple?.privateKey = nil
        }
        let response = try setup.post("revoke", AppleSetup.confidential + [("token", "x"), ("provider", "apple")])
        try expect(response, "unsupported_token_type")
        #expect(response.text.contains("team-id, key-id and private-key"))
        #expect(setup.apple.paths == [])
    }

    // MARK: Public apps

    @Test(.attack(.foreignAppleRevocation))
    func `a public app brings an ID token of the same person: a refresh token`() throws {
        let setup = try makeSetup()
        let response = try setup.signIn()
        let form = [
            ("client_id", "shop"), ("id_token", try idToken(response)), ("token", try refreshToken(response)),
            ("audience", StubApple.servicesID),
        ]
        try expect(try setup.post("revoke", form), nil)
        #expect(setup.apple.counts.revocations == 1)
        #expect(setup.apple.forms("/auth/revoke").count == 1)
        // It is revoked now, but the provider only says that it is not valid: it may have been replaced.
        let again = try setup.post("revoke", form)
        try expect(again, "invalid_grant")
        #expect(again.text.contains("may still be valid"))
        #expect(setup.apple.forms("/auth/revoke").count == 1)
    }

    @Test
    func `invented tokens of a public app are refused beyond the rate of one address, before the provider is asked`()
        throws
    {
        let setup = try makeSetup()
        let (stranger, person) = (IPAddress("198.51.100.7"), IPAddress("203.0.113.9"))
        let response = try setup.signIn()
        let form = [
            ("client_id", "shop"), ("id_token", try idToken(response)), ("audience", StubApple.servicesID),
        ]
        func revoke(_ token: String, from client: IPAddress?) throws -> BrokerResponse {
            try setup.post("revoke", form + [("token", token)], from: client)
        }
        for number in 0..<30 { try expect(try revoke("made-up-\(number)", from: stranger), "invalid_grant") }
        let asked = setup.apple.forms("/auth/token").count
        let refused = try revoke("made-up", from: stranger)
        try expect(refused, "temporarily_unavailable", status: 429)
        #expect(refused.head.headerFields[.retryAfter] == "60")
        #expect(setup.apple.forms("/auth/token").count == asked)
        // The limit does not apply to a confidential app.
        let confidential = AppleSetup.confidential + [("token", "made-up"), ("audience", StubApple.servicesID)]
        try expect(try setup.post("revoke", confidential, from: stranger), nil)
        try expect(try revoke("made-up", from: nil), "invalid_grant")
        try expect(try revoke(try refreshToken(response), from: person), nil)
        #expect(setup.apple.counts.revocations == 1)
        setup.installation.clock.advance(by: 60)
        try expect(try revoke("made-up", from: stranger), "invalid_grant")
    }

    @Test(.attack(.foreignAppleRevocation)) func `a public app: a native refresh token, and a code`() throws {
        let setup = try makeSetup()
        let form = setup.credentialForm(try setup.apple.credential())
        let response = try setup.post("credential", form).json()
        let app = [("client_id", "shop"), ("id_token", try idToken(response))]
        let token = app + [("token", try refreshToken(response)), ("audience", StubApple.bundleID)]
        try expect(try setup.post("revoke", token), nil)
        #expect(setup.apple.counts.revocations == 1)
        // A code needs no audience where there is one.
        try expect(try setup.post("revoke", app + [("code", try setup.apple.credential().code)]), nil)
        #expect(setup.apple.counts.revocations == 2)
    }

    @Test(.attack(.foreignAppleRevocation)) func `another user's token or code is left alone`() throws {
        let setup = try makeSetup()
        let grace = try setup.apple.credential(person: StubApple.grace)
        let graces = try setup.post("credential", setup.credentialForm(grace)).json()
        let ada = try idToken(try setup.signIn())
        let app = [("client_id", "shop"), ("id_token", ada)]
        let token = app + [("token", try refreshToken(graces)), ("audience", StubApple.bundleID)]
        try expect(try setup.post("revoke", token), "invalid_grant")
        let code = try setup.apple.credential(person: StubApple.grace).code
        try expect(try setup.post("revoke", app + [("code", code)]), "invalid_grant")
        #expect(setup.apple.counts.revocations == 0)
        #expect(setup.apple.forms("/auth/revoke").isEmpty)
        // A web token of hers, too.
        let web = try AppleSetup(person: 1) { $0.apps[0].upstreamTokens = true }
        let hers = try refreshToken(try web.signIn())
        let native = try web.post("credential", web.credentialForm(try web.apple.credential())).json()
        let form = [
            ("client_id", "shop"), ("id_token", try idToken(native)), ("token", hers),
            ("audience", StubApple.servicesID),
        ]
        try expect(try web.post("revoke", form), "invalid_grant")
        #expect(web.apple.counts.revocations == 0)
        #expect(web.installation.log.outcomes.last == "other_person")
    }

    @Test(.attack(.foreignAppleRevocation))
    func `an access token does not say whose it is: a public app's is refused`() throws {
        let setup = try makeSetup()
        let form = [
            ("client_id", "shop"), ("id_token", try idToken(try setup.signIn())), ("token", "x"),
            ("token_type_hint", "access_token"), ("audience", StubApple.servicesID),
        ]
        try expect(try setup.post("revoke", form), "unsupported_token_type")
        #expect(setup.apple.forms("/auth/revoke").isEmpty)
    }

    @Test(.attack(.foreignAppleRevocation))
    func `an ID token that is none, too old, another app's or of another key proves nothing`() throws {
        let setup = try makeSetup()
        let response = try setup.signIn()
        let own = try idToken(response)
        let claims = try setup.claims(of: response)
        let key = try SigningKey(pem: Installation.signingKey)
        func signed(_ name: String, _ value: JSONValue?, by signer: SigningKey? = nil) throws -> String {
            var changed = claims
            changed[name] = value
            return try (signer ?? key).sign(changed, type: "JWT")
        }
        let now = setup.installation.clock.now()
        let wrong: [String] = try [
            "", "a.b.c", String(own.dropLast(8)) + "AAAAAAAA", signed("aud", "back-office"), signed("aud", nil),
            signed("iss", "https://evil.example"), signed("exp", .number(JSONNumber(now))), signed("exp", nil),
            signed("iat", .number(JSONNumber(now + 61))),
            signed("iat", .number(JSONNumber(now - 301))), signed("sub", "somebody-else"),
            signed("upstream_sub", "somebody-else"), signed("upstream_iss", "https://evil.example"),
            signed("provider", "oidc.acme"), signed("provider", nil),
            signed("sub", claims["sub"], by: .generate(.es256)),
        ]
        let rest = [("client_id", "shop"), ("token", "x"), ("audience", StubApple.servicesID), ("provider", "apple")]
        for token in wrong {
            let response = try setup.post("revoke", rest + [("id_token", token)])
            try expect(response, "invalid_client", status: 401)
            #expect(response.head.headerFields[.wwwAuthenticate] == nil)
        }
        try expect(try setup.post("revoke", rest), "invalid_client", status: 401)
        #expect(setup.apple.forms("/auth/revoke").isEmpty)
        #expect(setup.apple.forms("/auth/token").count == 1)
        // The same claims, signed by the broker's own key, are accepted like the token itself.
        try expect(try setup.post("revoke", rest + [("id_token", try signed("x", "y"))]), "invalid_grant")
        #expect(setup.apple.forms("/auth/token").count == 2)
        // However long it is valid, it proves for five minutes who the user is.
        #expect(claims["exp"]?.integerValue == now + 3600)
        setup.installation.clock.advance(by: 300 - IssuedAt.allowance)
        try expect(try setup.post("revoke", rest + [("id_token", own)]), "invalid_grant")
        setup.installation.clock.advance(by: 1)
        try expect(
            try setup.post("revoke", rest + [("id_token", own)]), "invalid_client", status: 401)
    }

    @Test(.attack(.secretsInLogs)) func `nothing of it is written down`() throws {
        _ = CapturedMetrics.shared
        let setup = try makeSetup()
        let response = try setup.signIn()
        let token = try refreshToken(response)
        let app = [("client_id", "shop"), ("id_token", try idToken(response)), ("audience", StubApple.servicesID)]
        setup.apple.behave(.refusesClientSecrets)
        _ = try setup.post("revoke", app + [("token", token)])
        setup.apple.behave(.revocationUnavailable)
        _ = try setup.post("revoke", app + [("token", token)])
        setup.apple.behave(.none)
        _ = try setup.post("revoke", app + [("token", token)])
        let written = setup.installation.log.text + CapturedMetrics.shared.counters.joined(separator: "\n")
        for secret in setup.apple.secrets + [try idToken(response)] where written.contains(secret) {
            Issue.record("written down: \(secret)")
        }
        #expect(setup.installation.log.outcomes.contains("revoked"))
    }

    @Test func `another provider's tokens are revoked by the standard`() throws {
        // RFC 7009 at a provider that names its endpoint; the stub responds with 404, which is not a success.
        let installation = try Installation()
        installation.provider.behave {
            $0.metadata = ["revocation_endpoint": .string(installation.provider.issuer + "/revoke")]
            $0.revocationStatus = 404
        }
        func revoke(_ token: String, _ more: [(String, String)] = []) throws -> BrokerResponse {
            var request = installation.tokenRequest(AppleSetup.confidential + [("token", token)] + more)
            request.path = "/__/auth/revoke"
            return try installation.respond(request)
        }
        // What is the broker's own, or may have been, is sent nowhere (RFC 7009 section 2.2).
        let own = ["iss": JSONValue.string(Installation.issuer)] as JSONObject
        let jwt = try SigningKey.generate(.es256).sign(own)
        for (token, more) in [
            ("x", []), (IssuedTokenPrefix.refreshToken + "x", [("provider", "acme")]), (jwt, [("provider", "acme")]),
            (IssuedTokenPrefix.accessToken + "x", [("provider", "acme")]),
        ] {
            #expect(try revoke(token, more).status == 200)
        }
        #expect(installation.provider.count("/revoke") == 0)
        let response = try revoke("x", [("provider", "acme")])
        #expect(response.status == 400 || response.status == 500)
        #expect(installation.provider.count("/revoke") == 1)
        #expect(Query(installation.provider.requests.last?.form ?? "")["token"] == "x")
    }
}
