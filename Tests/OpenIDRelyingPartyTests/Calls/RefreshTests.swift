// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// Refreshing, used without a sign-in (RFC 6749 section 6, OpenID Connect Core 1.0 section 12).
@Suite struct RefreshTests {
    private static func refresh(
        _ session: UnpluggedSession,
        issuer: String = TestProvider.fixedIssuer,
        nonce: String? = nil,
        authenticationTime: Int64? = nil
    ) throws -> RefreshedTokens {
        try session.party.refresh(
            Secret("a-refresh-token"), issuer: issuer, subject: "person-ada", nonce: nonce,
            authenticationTime: authenticationTime, on: session.loop
        ).wait()
    }

    private static func refusal(
        _ session: UnpluggedSession,
        issuer: String = TestProvider.fixedIssuer,
        nonce: String? = nil,
        authenticationTime: Int64? = nil
    ) -> RelyingPartyError? {
        do {
            _ = try refresh(session, issuer: issuer, nonce: nonce, authenticationTime: authenticationTime)
            return nil
        } catch {
            return error as? RelyingPartyError
        }
    }

    @Test func `a refresh gives new tokens, and an ID token that was validated`() throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider)
        provider.behave { $0.changeTokenResponse = { $0["refresh_token"] = "the-next-one" } }
        let tokens = try Self.refresh(session)
        #expect(tokens.accessToken.exposed == "an-access-token")
        #expect(tokens.refreshToken?.exposed == "the-next-one")
        #expect(tokens.expiresIn == .seconds(3600))
        #expect(tokens.scopes == nil)
        #expect(tokens.claims?.string("sub") == "person-ada")
        let token = try #require(tokens.idToken)
        #expect(try JSONWebSignature(compact: token.exposed).algorithm == .es256)
        let form = try provider.form("/token")
        #expect(try form.text("grant_type") == "refresh_token")
        #expect(try form.text("refresh_token") == "a-refresh-token")
        #expect(!form.contains("redirect_uri"))
        #expect(!form.contains("code_verifier"))
        #expect(provider.requests.last { $0.url.path == "/token" }?.authorization?.hasPrefix("Basic ") == true)
        #expect(provider.paths == ["/.well-known/openid-configuration", "/token", "/jwks"])
    }

    @Test(.attack(.hostileTokenResponse))
    func `without an ID token and without rotation there is nothing more to ask for`() throws {
        let provider = try TestProvider()
        provider.behave { behavior in
            behavior.changeTokenResponse = { response in
                response["id_token"] = nil
                response["refresh_token"] = nil
                response["scope"] = ""
            }
        }
        let tokens = try Self.refresh(UnpluggedSession(provider))
        #expect(tokens.idToken == nil)
        #expect(tokens.claims == nil)
        #expect(tokens.refreshToken == nil)
        // An empty response is not the expected one.
        #expect(tokens.scopes == [])
        #expect(provider.paths == ["/.well-known/openid-configuration", "/token"])
    }

    @Test(
        arguments: [
            ("iss", "https://issuer.example1", .issuer), ("sub", "person-eve", .subjectContinuity),
            ("aud", "other", .audience), ("azp", "other", .authorizedParty),
            ("exp", 1_799_999_940, .expiry), ("iat", nil, .issuedAt),
            ("at_hash", "LDktKdoQak3Pk0cnXxCltA", .accessTokenHash), ("events", [:], .tokenKind),
        ] as [(String, JSONValue?, IDTokenCheck)])
    func `an ID token that is another's, or wrong, gives nothing at all`(
        name: String, value: JSONValue?, check: IDTokenCheck
    ) throws {
        let provider = try TestProvider()
        provider.behave { behavior in behavior.changeClaims = { claims, _ in claims[name] = value } }
        let error = Self.refusal(UnpluggedSession(provider))
        #expect(error?.step == .idToken)
        #expect(error?.finding?.check == check.name)
        let without = UnpluggedSession(provider, policy: .standard.without(check.name))
        #expect(Self.refusal(without) == nil)
    }

    @Test func `the nonce may be left out; one that is there is the sign-in's`() throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider)
        #expect(Self.refusal(session, nonce: "a-nonce") == nil)
        provider.behave { behavior in behavior.changeClaims = { claims, _ in claims["nonce"] = "a-nonce" } }
        #expect(Self.refusal(session, nonce: "a-nonce") == nil)
        #expect(Self.refusal(session, nonce: nil) == nil)
        #expect(Self.refusal(session, nonce: "another")?.finding?.check == IDTokenCheck.nonce.name)
        provider.behave { behavior in behavior.changeClaims = { claims, _ in claims["nonce"] = 1 } }
        #expect(Self.refusal(session, nonce: "a-nonce")?.finding?.check == IDTokenCheck.nonce.name)
    }

    @Test func `the time of the authentication may be left out; one that is there is the sign-in's`() throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider)
        #expect(Self.refusal(session, authenticationTime: 1_799_990_000) == nil)
        provider.behave { behavior in behavior.changeClaims = { claims, _ in claims["auth_time"] = 1_799_990_000 } }
        #expect(Self.refusal(session, authenticationTime: 1_799_990_000) == nil)
        #expect(Self.refusal(session, authenticationTime: nil) == nil)
        let error = Self.refusal(session, authenticationTime: 1_799_990_001)
        #expect(error?.finding?.check == IDTokenCheck.authenticationTime.name)
    }

    @Test func `a sign-in of another issuer is not refreshed here`() throws {
        let provider = try TestProvider()
        for issuer in ["https://other.example", "https://issuer.example/", ""] {
            #expect(Self.refusal(UnpluggedSession(provider), issuer: issuer)?.step == .refresh)
        }
        #expect(!provider.paths.contains("/token"))
    }

    @Test(
        arguments: [
            (400, #"{"error":"invalid_grant"}"#, "invalid_grant", false),
            (401, #"{"error":"invalid_client"}"#, "invalid_client", false),
            (429, "", nil, true), (503, "", nil, true), (200, "{}", nil, false), (200, "not JSON", nil, false),
            (307, "", nil, false),
        ] as [(Int, String, String?, Bool)])
    func `a refusal or a failure is one of the refresh, sent once`(
        status: Int, body: String, code: String?, isTemporary: Bool
    ) throws {
        let provider = try TestProvider()
        provider.answer("/token", status: status, body)
        let error = Self.refusal(UnpluggedSession(provider))
        #expect(error?.step == .refresh)
        #expect(error?.providerError?.code == code)
        #expect(error?.isTemporary == isTemporary)
        #expect(provider.paths == ["/.well-known/openid-configuration", "/token"])
    }

    @Test func `an authentication context is required of the sign-in, and of a refresh that names one`() throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider) { $0.requiredACRValues = ["gold"] }
        #expect(Self.refusal(session) == nil)
        provider.behave { behavior in behavior.changeClaims = { claims, _ in claims["acr"] = "bronze" } }
        #expect(Self.refusal(session)?.finding?.check == IDTokenCheck.authenticationContext.name)
    }
}
