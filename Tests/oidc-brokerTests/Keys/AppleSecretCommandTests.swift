// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Crypto
import Foundation
import JOSE
import OpenIDRelyingParty
import SignInWithApple
import Testing

@testable import oidc_broker

/// The command `apple-secret`.
struct AppleSecretCommandTests {
    private static let now: Int64 = 1_700_000_000
    private static let valid = [
        "--team-id", "ABCDE12345", "--key-id", "FGHIJ67890", "--client-id", "com.example.web",
    ]

    private static func claims(of token: String) throws -> JSONObject {
        let payload = try #require(Base64URL.decode(String(token.split(separator: ".")[1])))
        return try JSONParser.object(payload, limits: JSONLimits(maximumBytes: 65_536))
    }

    @Test(arguments: [([], 15_552_000), (["--lifetime-seconds", "15777000"], 15_777_000)] as [([String], Int64)])
    func `the secret is one that Apple takes, for the time that was asked for`(
        arguments: [String], lifetime: Int64
    ) throws {
        try KeyFolder.use { folder in
            let key = P256.Signing.PrivateKey()
            let path = try folder.write("AuthKey.p8", key.pemRepresentation)
            let command = try AppleSecretCommand.parse(Self.valid + ["--key", path] + arguments)
            let made = try command.secret(now: Self.now)
            let token = made.secret.exposed
            let claims = try Self.claims(of: token)
            #expect(claims["iss"]?.text == "ABCDE12345" && claims["sub"]?.text == "com.example.web")
            #expect(claims["aud"]?.text == "https://appleid.apple.com")
            #expect(claims["iat"]?.integerValue == Self.now - 5)
            #expect(claims["exp"]?.integerValue == Self.now + lifetime && made.expiry == Self.now + lifetime)
            let segments = token.split(separator: ".").map(String.init)
            let signature = try P256.Signing.ECDSASignature(
                rawRepresentation: try #require(Base64URL.decode(segments[2])))
            let input = Data((segments[0] + "." + segments[1]).utf8)
            #expect(key.publicKey.isValidSignature(signature, for: input))
            let header = try JSONParser.object(
                try #require(Base64URL.decode(segments[0])), limits: JSONLimits(maximumBytes: 1024))
            #expect(header["kid"]?.text == "FGHIJ67890" && header["alg"]?.text == "ES256")
        }
    }

    @Test(arguments: [
        ["--lifetime-seconds", "15777001"], ["--lifetime-seconds", "1"], ["--lifetime-seconds", "-5"],
        ["--team-id", "abcde12345"], ["--key-id", "FGHIJ6789"], ["--client-id", ""], ["--client-id", "com example"],
    ])
    func `a value that Apple refuses is an error of usage`(arguments: [String]) {
        let others = stride(from: 0, to: Self.valid.count, by: 2).filter { Self.valid[$0] != arguments[0] }
            .flatMap { Self.valid[$0...($0 + 1)] }
        let error = #expect(throws: (any Error).self) {
            try AppleSecretCommand.parse(others + ["--key", "AuthKey.p8"] + arguments)
        }
        #expect(error.map { AppleSecretCommand.exitCode(for: $0) } == .validationFailure)
    }

    @Test func `a file that is missing or not Apple's ends with 78`() throws {
        try KeyFolder.use { folder in
            let other = try folder.write("other.p8", P384.Signing.PrivateKey().pemRepresentation)
            for path in [folder.file("nothing.p8"), folder.path, other] {
                let command = try AppleSecretCommand.parse(Self.valid + ["--key", path])
                #expect(throws: ExitCode(78)) { try command.secret(now: Self.now) }
            }
        }
    }
}
