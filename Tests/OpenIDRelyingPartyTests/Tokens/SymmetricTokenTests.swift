// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// ID tokens whose algorithm is an HMAC: accepted where the client registered it, keyed by its secret, and nowhere else.
@Suite struct SymmetricTokenTests {
    private static let secret = String(repeating: "s", count: 64)

    /// A provider that signs with a secret, which is the client's unless a test says otherwise.
    private static func provider(
        _ algorithm: JSONWebAlgorithm,
        keyedWith secret: [UInt8] = Array(Self.secret.utf8)
    ) throws -> TestProvider {
        let provider = try TestProvider(.rs256)
        try sign(provider, algorithm, with: secret)
        return provider
    }

    private static func sign(
        _ provider: TestProvider, _ algorithm: JSONWebAlgorithm, with secret: [UInt8]
    ) throws {
        let key = try #require(SharedSecretKey(secret))
        provider.behave { behavior in
            behavior.metadata["id_token_signing_alg_values_supported"] = ["RS256", "HS256", "HS384", "HS512"]
            behavior.changeToken = { token, _ in
                let segments = token.split(separator: ".").map { Array($0.utf8) }
                let payload = try #require(Base64URL.decode(segments[1]))
                var claims = try JSONParser.object(payload, limits: JSONLimits(maximumBytes: 65_536))
                // It is made with the hash of the algorithm that this token does not have.
                claims["at_hash"] = nil
                return key.sign(claims, algorithm: algorithm, header: ["typ": "JWT"])
            }
        }
    }

    private static func session(
        _ provider: TestProvider,
        registered: [String]?,
        secret: String = Self.secret
    ) -> UnpluggedSession {
        UnpluggedSession(provider) { configuration in
            configuration.clientSecret = Secret(secret)
            configuration.clientAuthentication = .clientSecretBasic
            configuration.idTokenAlgorithms = registered
        }
    }

    @Test(arguments: [JSONWebAlgorithm.hs256, .hs384, .hs512])
    func `a registered one is accepted, and no key is fetched for it`(algorithm: JSONWebAlgorithm) throws {
        let provider = try Self.provider(algorithm)
        let session = Self.session(provider, registered: [algorithm.rawValue])
        #expect(session.party.configuration.validate().isEmpty)
        #expect(try session.signIn().subject == "person-ada")
        #expect(provider.paths == ["/.well-known/openid-configuration", "/token"])
    }

    @Test(.attack(.unregisteredSecretSignature)) func `one that is announced and not registered is refused`() throws {
        let provider = try Self.provider(.hs256)
        let error = try Self.session(provider, registered: nil).refusal()
        #expect(error?.step == .idToken)
        #expect(provider.paths == ["/.well-known/openid-configuration", "/token"])
    }

    @Test(.attack(.unexpectedAlgorithm), arguments: [["RS256"], ["HS512"], ["RS256", "HS384"]])
    func `one that is not the registered one is refused`(registered: [String]) throws {
        let provider = try Self.provider(.hs256)
        #expect(try Self.session(provider, registered: registered).refusal()?.step == .idToken)
    }

    @Test(.attack(.algorithmConfusion), arguments: [nil, ["RS256"], ["HS256"], ["RS256", "HS256"]] as [[String]?])
    func `one keyed with the provider's public key is refused`(registered: [String]?) throws {
        let provider = try TestProvider(.rs256)
        let modulus = provider.key.publicJWK["n"]?.text.flatMap { Base64URL.decode(Array($0.utf8)) }
        try Self.sign(provider, .hs256, with: try #require(modulus))
        #expect(try Self.session(provider, registered: registered).refusal()?.step == .idToken)
    }

    @Test func `one keyed with another secret is refused`() throws {
        let provider = try Self.provider(.hs256, keyedWith: Array(repeating: 1, count: 64))
        #expect(try Self.session(provider, registered: ["HS256"]).refusal()?.step == .idToken)
    }

    @Test(.attack(.unregisteredSecretSignature), arguments: [("HS256", 32), ("HS384", 48), ("HS512", 64)])
    func `the secret is at least as long as the hash`(name: String, length: Int) throws {
        let algorithm = try #require(JSONWebAlgorithm(rawValue: name))
        for (count, isAccepted) in [(length, true), (length - 1, false)] {
            let secret = String(repeating: "s", count: count)
            let provider = try Self.provider(algorithm, keyedWith: Array(String(repeating: "s", count: 64).utf8))
            let session = Self.session(provider, registered: [name], secret: secret)
            #expect(session.party.configuration.validate().isEmpty == isAccepted)
            // Signed with a longer one: refused either way, for want of a key or for a wrong signature.
            if count < 64 { #expect(try session.refusal()?.step == .idToken) }
        }
        let exact = String(repeating: "s", count: length)
        let provider = try Self.provider(algorithm, keyedWith: Array(exact.utf8))
        #expect(try Self.session(provider, registered: [name], secret: exact).refusal() == nil)
    }

    @Test func `a token of the provider's keys is refused where only an HMAC is registered`() throws {
        let provider = try TestProvider(.rs256)
        #expect(try Self.session(provider, registered: ["HS256"]).refusal()?.step == .idToken)
    }
}
