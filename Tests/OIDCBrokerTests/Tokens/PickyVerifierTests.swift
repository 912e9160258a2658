// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration

/// The shape of what the broker publishes, as far as verifiers that were run need exactly this one.
struct PickyVerifierTests {
    private static func installation() throws -> Installation {
        try Installation { $0.signingKeys = [Secret(Installation.signingKey), Secret(try SharedRSAKeys.pem(1))] }
    }

    private static func idToken(_ installation: Installation) throws -> String {
        var browser = Browser(installation)
        let app = AppClient.shop
        let code = try #require(try browser.signIn(app)["code"])
        return try #require(try installation.redeem(code, app).json()["id_token"]?.text?.makeString())
    }

    private static func claims(_ installation: Installation) throws -> JSONObject {
        let payload = try #require(try idToken(installation).split(separator: ".").dropFirst().first)
        let bytes = try #require(Base64URL.decode(String(payload)))
        return try JSONParser.object(bytes, limits: JSONLimits(maximumBytes: 8192))
    }

    private static func metadata(_ installation: Installation) throws -> JSONObject {
        try installation.get("/__/auth/.well-known/openid-configuration").json()
    }

    private static func publishedAlgorithms(_ installation: Installation) throws -> [String] {
        let keys = try #require(try installation.get("/__/auth/jwks").json()["keys"]?.arrayValue)
        return keys.compactMap { $0.objectValue?["alg"]?.text?.makeString() }
    }

    // okta-jwt-verifier 4.0.2 refuses an array of one.
    @Test func `aud is a string`() throws {
        #expect(try Self.claims(Self.installation())["aud"] == "shop")
    }

    // jetty-openid 12.1.7 fails on an `exp` with a fraction.
    @Test func `times are integers, whatever the provider sends`() throws {
        let installation = try Self.installation()
        let fraction = try #require(JSONNumber(text: "1799999990.75"))
        installation.provider.behave { $0.claims = ["auth_time": .number(fraction)] }
        let claims = try Self.claims(installation)
        for name in ["iat", "exp", "auth_time"] { #expect(claims[name]?.integerValue != nil, "\(name)") }
    }

    // PyJWT 2.15.1, joserfc, google-auth 2.63.0, social-auth-core, mozilla-django-oidc and oic have no leeway.
    @Test func `iat lies five seconds back, and exp is reckoned from now`() throws {
        let installation = try Self.installation()
        let claims = try Self.claims(installation)
        #expect(claims["iat"]?.integerValue == installation.clock.now() - 5)
        #expect(claims["exp"]?.integerValue == installation.clock.now() + 3600)
    }

    // pac4j-oidc 6.5.5 takes the first method that it knows, not the first that it can do.
    @Test func `client_secret_basic is the first method in the metadata`() throws {
        let methods = try Self.metadata(Self.installation())["token_endpoint_auth_methods_supported"]?.arrayValue
        #expect(methods?.first == "client_secret_basic")
    }

    // express-oauth2-jwt-bearer 1.10.0 holds every token against this member.
    @Test func `id_token_signing_alg_values_supported has the algorithm of every published key`() throws {
        let installation = try Self.installation()
        let announced = try Self.metadata(installation)["id_token_signing_alg_values_supported"]?.arrayValue ?? []
        let published = try Self.publishedAlgorithms(installation)
        #expect(Set(announced.compactMap { $0.text?.makeString() }) == Set(published))
        #expect(published.count == 2)
    }

    // python-jose 3.5.0 goes by the order and ignores `kid`.
    @Test func `RSA keys come first in the key set, whatever the order of the file`() throws {
        #expect(try Self.publishedAlgorithms(Self.installation()) == ["RS256", "ES256"])
    }

    // authlib 1.9.10, jwskate 0.12.2 and python-jose 3.5.0 refuse a set for one key of a kind that they do not know.
    @Test func `the key set has RSA and P-256 keys alone`() throws {
        let keys = try #require(try Self.installation().get("/__/auth/jwks").json()["keys"]?.arrayValue)
        for key in keys.compactMap(\.objectValue) {
            #expect(key["kty"] == "RSA" || (key["kty"] == "EC" && key["crv"] == "P-256"))
        }
    }
}
