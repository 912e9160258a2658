// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import Testing

/// The provider accepts a valid client assertion, and no other.
@Suite(.timeLimit(.minutes(10))) struct ProviderAssertionTests {
    /// What is wrong with an assertion.
    enum Fault: String, Sendable, CaseIterable {
        case none
        case foreignKey, otherIssuer, otherSubject, audienceIsEndpoint, audienceIsList
        case expired, livesLong, noExpiry, issuedInFuture, noIdentifier, otherType
    }

    @Test(arguments: [JSONWebAlgorithm.es256, .hs256], Fault.allCases)
    func `one assertion`(algorithm: JSONWebAlgorithm, fault: Fault) async throws {
        try await ProviderProbe.run(configuring: {
            try Self.register(&$0, algorithm)
        }) { probe in
            let response = try await exchange(probe, try Self.assertion(probe, algorithm, fault), fault)
            #expect((response.status == 200) == (fault == .none))
            #expect(probe.provider.violations().count == (fault == .none ? 0 : 1))
        }
    }

    @Test func `the same assertion again`() async throws {
        try await ProviderProbe.run(configuring: {
            try Self.register(&$0, .es256)
        }) { probe in
            let assertion = try Self.assertion(probe, .es256, .none)
            let first = try await exchange(probe, assertion, .none)
            #expect(first.status == 200)
            let again = try await exchange(probe, assertion, .none)
            #expect(again.status == 401)
            #expect(again["error"] == "invalid_client")
            #expect(probe.provider.violations() == ["POST /token: the assertion was used before"])
        }
    }

    private static func register(
        _ configuration: inout OpenIDProvider.Configuration, _ algorithm: JSONWebAlgorithm
    ) throws {
        if algorithm.isSymmetric {
            configuration.clients[0].authentication = .clientSecretJWT
            configuration.clients[0].secret = ClientProofs.longSecret
        } else {
            configuration.clients[0].authentication = .privateKeyJWT
            configuration.clients[0].secret = nil
            configuration.clients[0].keySet = try ClientProofs.keySet(algorithm)
        }
    }

    private static func assertion(
        _ probe: ProviderProbe, _ algorithm: JSONWebAlgorithm, _ fault: Fault
    ) throws -> String {
        let now = probe.clock.now()
        func seconds(_ seconds: Int64) -> JSONValue { .number(JSONNumber(seconds)) }
        var claims: JSONObject = [
            "iss": .string(ProviderProbe.clientID), "sub": .string(ProviderProbe.clientID),
            "aud": .string(probe.provider.issuer), "exp": seconds(now + 60), "iat": seconds(now),
            "jti": .string(Base64URL.encode(SecureRandom.bytes(16))),
        ]
        switch fault {
        case .none, .foreignKey, .otherType: break
        case .otherIssuer: claims["iss"] = "other"
        case .otherSubject: claims["sub"] = "other"
        case .audienceIsEndpoint: claims["aud"] = .string(probe.provider.issuer + "/token")
        case .audienceIsList: claims["aud"] = [.string(probe.provider.issuer)]
        case .expired: claims["exp"] = seconds(now)
        case .livesLong: claims["exp"] = seconds(now + 3600)
        case .noExpiry: claims["exp"] = nil
        case .issuedInFuture: claims["iat"] = seconds(now + 600)
        case .noIdentifier: claims["jti"] = nil
        }
        if algorithm.isSymmetric {
            let text = fault == .foreignKey ? String(repeating: "x", count: 32) : ClientProofs.longSecret
            let secret = try #require(SharedSecretKey(Array(text.utf8)))
            return secret.sign(claims, algorithm: algorithm)
        }
        let key =
            try fault == .foreignKey
            ? SigningKey.generate(algorithm)
            : SigningKey(pem: ClientProofs.signingKeyPEM(algorithm), algorithm: algorithm)
        return try key.sign(claims)
    }

    private func exchange(
        _ probe: ProviderProbe, _ assertion: String, _ fault: Fault
    ) async throws -> ProviderProbe.Response {
        let type = fault == .otherType ? "saml2-bearer" : "jwt-bearer"
        return try await probe.post(
            "/token",
            ProviderProbe.exchange(try await probe.code()) + [
                ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:" + type),
                ("client_assertion", assertion),
            ])
    }
}
