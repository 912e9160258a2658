// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing

/// Which proof a client chooses.
@Suite struct ClientCredentialsTests {
    private static let longSecret = String(repeating: "s", count: 32)
    private static let everyMethod = ClientAuthenticationMethod.strongestFirst.map(\.name)

    private func credentials(_ parts: Set<String>) throws -> ClientCredentials {
        try ClientCredentials(
            clientID: "client",
            secret: parts.contains("secret") ? Self.longSecret : parts.contains("short secret") ? "short" : nil,
            signingKey: parts.contains("key") ? SigningKey.generate(.es256) : nil,
            hasCertificate: parts.contains("certificate"))
    }

    @Test(
        arguments: [
            (["certificate", "key", "secret"], "tls_client_auth"), (["key", "secret"], "private_key_jwt"),
            (["certificate", "secret"], "tls_client_auth"), (["secret"], "client_secret_basic"),
            (["short secret"], "client_secret_basic"), (["key"], "private_key_jwt"), ([], "none"),
        ] as [(Set<String>, String)])
    func `where all is announced, the strongest that the credentials can do`(
        parts: Set<String>, expected: String
    ) throws {
        let method = try credentials(parts).method(
            configured: nil, announced: Self.everyMethod, announcedSigningAlgorithms: [])
        #expect(method?.name == expected)
        let reversed = try credentials(parts).method(
            configured: nil, announced: Self.everyMethod.reversed(), announcedSigningAlgorithms: [])
        #expect(reversed?.name == expected)
    }

    @Test(
        arguments: [
            (["secret"], ["client_secret_post", "client_secret_basic"], "client_secret_basic"),
            (["secret"], ["client_secret_post"], "client_secret_post"),
            (["secret"], ["client_secret_jwt", "client_secret_post"], "client_secret_post"),
            (["secret"], ["client_secret_jwt", "private_key_jwt"], "client_secret_jwt"),
            (["short secret"], ["client_secret_jwt", "client_secret_post"], "client_secret_post"),
            (["short secret"], ["client_secret_jwt"], nil),
            (["secret"], ["private_key_jwt", "tls_client_auth"], nil),
            (["secret"], ["none"], nil), (["secret"], [], nil), (["key"], ["client_secret_basic", "none"], nil),
            (["certificate"], ["self_signed_tls_client_auth"], "self_signed_tls_client_auth"),
            (["certificate"], ["private_key_jwt"], nil),
            (["certificate", "secret"], ["client_secret_basic"], "client_secret_basic"),
            ([], ["client_secret_basic"], "none"), ([], [], "none"),
            (["secret"], ["Client_Secret_Basic", "unknown"], nil),
        ] as [(Set<String>, [String], String?)])
    func `what is announced limits the choice`(parts: Set<String>, announced: [String], expected: String?) throws {
        let method = try credentials(parts).method(
            configured: nil, announced: announced, announcedSigningAlgorithms: [])
        #expect(method?.name == expected)
    }

    @Test func `an assertion's algorithm must be among those announced, where any are`() throws {
        func method(_ parts: Set<String>, _ algorithms: [String]) throws -> String? {
            try credentials(parts).method(
                configured: nil, announced: ["private_key_jwt", "client_secret_jwt"],
                announcedSigningAlgorithms: algorithms)?.name
        }
        #expect(try method(["key", "secret"], ["RS256", "ES256"]) == "private_key_jwt")
        #expect(try method(["key", "secret"], ["RS256", "HS256"]) == "client_secret_jwt")
        #expect(try method(["key", "secret"], ["RS256"]) == nil)
        #expect(try method(["key"], ["RS256"]) == nil)
    }

    @Test(
        arguments: [
            ("tls_client_auth", ["certificate"]), ("self_signed_tls_client_auth", ["certificate"]),
            ("private_key_jwt", ["key"]), ("client_secret_jwt", ["secret"]), ("client_secret_basic", ["short secret"]),
            ("client_secret_post", ["short secret"]), ("none", []),
        ] as [(String, Set<String>)])
    func `what is configured wins, where there is what it needs`(name: String, needed: Set<String>) throws {
        let method = try #require(ClientAuthenticationMethod(name: name))
        let all: Set<String> = ["certificate", "key", "secret"]
        for parts in [needed, all] {
            let chosen = try credentials(parts).method(
                configured: method, announced: ["client_secret_basic"], announcedSigningAlgorithms: ["RS256"])
            #expect(chosen == method)
        }
        guard !needed.isEmpty else { return }
        let rest = needed.contains("short secret") ? all.subtracting(["secret"]) : all.subtracting(needed)
        let none = try credentials(rest).method(
            configured: method, announced: Self.everyMethod, announcedSigningAlgorithms: [])
        #expect(none == nil)
        #expect(throws: ClientCredentialsError.missing(for: method)) {
            try credentials(rest).authentication(by: method, audience: "https://issuer.example", now: 0)
        }
    }

    @Test func `EdDSA and Ed25519 are one algorithm, whose announced name is sent`() throws {
        for own in [JSONWebAlgorithm.eddsa, .ed25519] {
            let credentials = ClientCredentials(clientID: "client", signingKey: try SigningKey.generate(own))
            for announced in [JSONWebAlgorithm.eddsa, .ed25519] {
                let method = credentials.method(
                    configured: nil, announced: ["private_key_jwt"], announcedSigningAlgorithms: [announced.rawValue])
                #expect(method == .privateKeyJWT)
                #expect(try Self.algorithm(credentials, .privateKeyJWT, [announced.rawValue]) == announced)
            }
            #expect(try Self.algorithm(credentials, .privateKeyJWT, ["EdDSA", "Ed25519"]) == own)
            #expect(try Self.algorithm(credentials, .privateKeyJWT, []) == own)
        }
    }

    @Test(
        arguments: [
            ([], 32, "HS256"), (["HS256", "HS512"], 64, "HS256"), (["HS384"], 48, "HS384"), (["HS512"], 64, "HS512"),
            (["HS384", "HS512"], 64, "HS384"), (["HS512"], 63, nil), (["RS256"], 64, nil),
        ] as [([String], Int, String?)])
    func `client_secret_jwt has the first algorithm that is announced and the secret is long enough for`(
        announced: [String], length: Int, expected: String?
    ) throws {
        let credentials = ClientCredentials(clientID: "client", secret: String(repeating: "s", count: length))
        let method = credentials.method(
            configured: nil, announced: ["client_secret_jwt"], announcedSigningAlgorithms: announced)
        #expect((method == .clientSecretJWT) == (expected != nil))
        guard let expected else { return }
        #expect(try Self.algorithm(credentials, .clientSecretJWT, announced)?.rawValue == expected)
    }

    /// The algorithm in the header of an assertion.
    private static func algorithm(
        _ credentials: ClientCredentials, _ method: ClientAuthenticationMethod, _ announced: [String]
    ) throws -> JSONWebAlgorithm? {
        let proof = try credentials.authentication(
            by: method, audience: "https://issuer.example", announcedSigningAlgorithms: announced, now: 1)
        let assertion = proof.parameters.first { $0.0 == "client_assertion" }?.1
        return try assertion.map { try JSONWebSignature(compact: $0).algorithm }
    }

    @Test func `a secret is long enough for client_secret_jwt from 32 bytes on`() {
        for (secret, isEnough) in [(Self.longSecret, true), (String(Self.longSecret.dropLast()), false)] {
            let method = ClientCredentials(clientID: "client", secret: secret).method(
                configured: .clientSecretJWT, announced: [], announcedSigningAlgorithms: [])
            #expect((method != nil) == isEnough)
        }
    }

    @Test func `nothing of it is printed`() throws {
        let credentials = ClientCredentials(clientID: "client", secret: "s3cret")
        var dumped = ""
        dump(credentials, to: &dumped)
        #expect(["\(credentials)", String(reflecting: credentials), dumped].allSatisfy { !$0.contains("s3cret") })
        for method in ClientAuthenticationMethod.strongestFirst {
            let text = ClientCredentialsError.missing(for: method).description
            #expect(text.contains(method.name))
        }
    }
}
