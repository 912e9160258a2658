// SPDX-License-Identifier: Apache-2.0

import Crypto
import JOSE
import OIDCBroker
import OIDCBrokerTesting
import OpenIDRelyingParty
import Signing
import Testing

@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerServer
@testable import OIDCBrokerState

/// Files with keys: what is read, what is shown, and what is refused.
struct KeyFileTests {
    private static let first = P256.Signing.PrivateKey().pemRepresentation + "\n"
    private static let second = P256.Signing.PrivateKey().pemRepresentation + "\n"
    private static let sealing = [UInt8(1), 2, 3].map { Base64.encode([UInt8](repeating: $0, count: 32)) }

    private static func file(_ text: String, _ kind: KeyKind) throws(KeyFileError) -> KeyFile {
        try KeyFile(Array(text.utf8), kind: kind)
    }

    private static func kid(_ pem: String) throws -> String { try SigningKey(pem: pem).keyID }

    @Test func `each sealing key is a line with the identifier that its sealed values have`() throws {
        let file = try Self.file(Self.sealing.joined(separator: "\n"), .sealing)
        let sealer = StateSealer(keys: [LoginKeys(sealingKey: [UInt8](repeating: 1, count: 32))], issuer: "https://a")
        let sealed = try #require(sealer.seal([1], for: .login).flatMap { Base64URL.decode($0) })
        let id = sealed[1..<5].map { Self.hexadecimal($0) }.joined()
        #expect(file.lines.first == "1: seals and opens, A256GCM, 256 bits, key id \(id)")
        #expect(file.lines.dropFirst().map { $0.contains(": opens only, ") } == [true, true])
        #expect(try file.keySetDocument() == nil)
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = Array("0123456789abcdef")
        return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
    }

    @Test func `the first key of each algorithm signs ID tokens, and only the first those of accounts and APIs`() throws
    {
        let rsa = try SharedRSAKeys.pem(0)
        let text = Self.first + Self.second + rsa
        let rsaKey = try SigningKey(pem: rsa, algorithm: .rs256)
        #expect(
            try Self.file(text, .signing).lines == [
                "1: signs, ES256, 256 bits, kid \(try Self.kid(Self.first))",
                "2: verifies only, ES256, 256 bits, kid \(try Self.kid(Self.second))",
                "3: signs, RS256, 2048 bits, kid \(rsaKey.keyID)",
            ])
        for kind in [KeyKind.accounts, .resource] {
            let file = try Self.file(text, kind)
            #expect(file.keys.indices.map { file.role(at: $0) } == ["signs", "verifies only", "verifies only"])
        }
    }

    @Test func `the public keys are those that the broker publishes, and nothing more`() throws {
        let text = Self.first + Self.second
        let document = try #require(try Self.file(text, .signing).keySetDocument())
        let published = try #require(SigningKeys(pem: [Secret(Self.first), Secret(Self.second)]))
        #expect(document == Array(published.jwks.utf8))
        let keys = try #require(
            try JSONParser.object(document, limits: JSONLimits(maximumBytes: 65_536))["keys"]?.arrayValue)
        for key in keys {
            let names = try #require(key.objectValue).members.map { $0.name.makeString() }
            #expect(Set(names) == ["kty", "crv", "x", "y", "kid", "alg", "use"])
        }
        let client = try Self.file(Self.first, .client)
        let webhook = try Self.file(Self.first, .webhook)
        let alone = SigningKeys.keySetDocument(of: [try SigningKey(pem: Self.first)])
        #expect(try client.keySetDocument() == alone)
        #expect(try webhook.keySetDocument() == alone)
    }

    @Test(
        arguments: [
            (nil, nil, "RS256", nil), (.ps256, nil, "PS256", nil), (.ps256, "key-1", "PS256", "key-1"),
        ] as [(JSONWebAlgorithm?, String?, String, String?)])
    func `the public key of a client has the algorithm and the kid of its assertions`(
        algorithm: JSONWebAlgorithm?, keyID: String?, name: String, id: String?
    ) throws {
        let pem = try SharedRSAKeys.pem(0)
        let file = try Self.file(pem, .client)
        let jwk = try Self.onlyKey(try file.keySetDocument(algorithm: algorithm, keyID: keyID))
        #expect(jwk["alg"]?.text?.makeString() == name && jwk["use"] == "sig")
        #expect(jwk["kid"]?.text?.makeString() == (id ?? file.keys[0].id))
        #expect(jwk["d"] == nil)
        #expect(throws: KeyFileError.unexpectedContents(.client)) { try file.keySetDocument(algorithm: .es256) }
    }

    @Test func `the public key of decryption has its use and its algorithm`() throws {
        for (pem, name) in [(Self.first, "ECDH-ES"), (try SharedRSAKeys.pem(0), "RSA-OAEP-256")] {
            let file = try Self.file(pem, .decryption)
            let jwk = try Self.onlyKey(try file.keySetDocument())
            #expect(jwk["alg"]?.text?.makeString() == name && jwk["use"] == "enc" && jwk["d"] == nil)
            #expect(jwk["kid"]?.text?.makeString() == file.keys[0].id)
            #expect(file.lines[0].hasPrefix("1: decrypts, \(name), "))
        }
    }

    @Test func `the public key of decryption has the algorithm that is registered, if the key serves it`() throws {
        let file = try Self.file(Self.first, .decryption)
        let jwk = try Self.onlyKey(try file.keySetDocument(keyManagement: .ecdhESA256KW))
        #expect(jwk["alg"] == "ECDH-ES+A256KW" && jwk["use"] == "enc")
        #expect(throws: KeyFileError.unexpectedContents(.decryption)) {
            try file.keySetDocument(keyManagement: .rsaOAEP256)
        }
    }

    private static func onlyKey(_ document: [UInt8]?) throws -> JSONObject {
        let object = try JSONParser.object(try #require(document), limits: JSONLimits(maximumBytes: 65_536))
        let keys = try #require(object["keys"]?.arrayValue)
        #expect(keys.count == 1)
        return try #require(keys.first?.objectValue)
    }

    @Test(arguments: KeyKind.allCases) func `a new key is what the configuration reads`(kind: KeyKind) throws {
        let file = try KeyFile(Array(NewKey.text(kind, algorithm: nil).exposed.utf8), kind: kind)
        let algorithms = [KeyKind.sealing: "A256GCM", .decryption: "ECDH-ES"]
        #expect(file.keys.map(\.algorithm) == [algorithms[kind] ?? "ES256"])
        let another = try KeyFile(Array(NewKey.text(kind, algorithm: nil).exposed.utf8), kind: kind)
        #expect(another.keys.map(\.id) != file.keys.map(\.id))
    }

    @Test func `a new RSA key has 2048 bits, and there is none for webhooks and sealing`() throws {
        let file = try KeyFile(Array(NewKey.text(.signing, algorithm: .rs256).exposed.utf8), kind: .signing)
        #expect(file.keys.map(\.algorithm) == ["RS256"] && file.keys.map(\.bitCount) == [2048])
        #expect(throws: KeyFileError.unexpectedContents(.webhook)) { try NewKey.text(.webhook, algorithm: .rs256) }
        #expect(throws: KeyFileError.unexpectedContents(.sealing)) { try NewKey.text(.sealing, algorithm: .es256) }
        #expect(throws: KeyFileError.unexpectedContents(.signing)) { try NewKey.text(.signing, algorithm: .es512) }
    }

    @Test func `what the configuration refuses, and what is not keys alone, is refused`() {
        let begun = Self.first.split(separator: "\n").dropLast().joined(separator: "\n")
        let certificate = "-----BEGIN CERTIFICATE-----\nMAAA\n-----END CERTIFICATE-----\n"
        let cases: [(String, KeyKind)] = [
            ("", .sealing), ("\n", .sealing), (Self.sealing[0] + "\n" + Self.sealing[0], .sealing),
            ("# a comment\n" + Self.sealing[0], .sealing), (" " + Self.sealing[0], .sealing),
            (Self.sealing[0] + "," + Self.sealing[1], .sealing), (Base64.encode([1, 2]), .sealing),
            ("", .signing), ("no key", .signing), (begun, .signing), (begun + "\n" + Self.second, .signing),
            (Self.first + Self.first, .signing), (Self.first + Self.first, .accounts),
            (Self.first + certificate, .signing), ((Self.first + Self.second).replacing("\n", with: "\r"), .signing),
            (P384.Signing.PrivateKey().pemRepresentation, .signing),
            (P384.Signing.PrivateKey().pemRepresentation, .webhook), ("no key", .decryption),
            (Self.first + Self.second, .client), (Self.first + Self.second, .webhook),
            (Self.sealing[0], .signing), (Self.first, .sealing),
            ((0...16).map { _ in P256.Signing.PrivateKey().pemRepresentation + "\n" }.joined(), .signing),
            (Self.first.replacing("PRIVATE", with: "ENCRYPTED PRIVATE"), .signing),
        ]
        for (text, kind) in cases {
            #expect(throws: KeyFileError.unexpectedContents(kind), "\(kind)") { try Self.file(text, kind) }
        }
    }

    @Test(arguments: ["", "\n", "\n\n# the end\n"])
    func `text that is no key stays, each before the key that it was before`(end: String) throws {
        let parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
        let text = "# one\n" + Self.first + "# two\n" + parameters + Self.second + "# rest" + end
        let file = try Self.file(text, .signing)
        let rest = "# rest" + (end.isEmpty ? "\n" : end)
        #expect(String(decoding: file.contents, as: UTF8.self) == text + (end.isEmpty ? "\n" : ""))
        let moved = try file.moving(from: 1, to: 0)
        #expect(
            String(decoding: moved.contents, as: UTF8.self)
                == "# two\n" + parameters + Self.second + "# one\n" + Self.first + rest)
        let dropped = try moved.removing(at: 1)
        #expect(
            String(decoding: dropped.contents, as: UTF8.self) == "# two\n" + parameters + Self.second + rest)
    }

    @Test func `the last key cannot be removed, and no key is there twice`() throws {
        let file = try Self.file(Self.first, .signing)
        #expect(throws: KeyFileError.unexpectedContents(.signing)) { try file.removing(at: 0) }
        #expect(throws: KeyFileError.unexpectedContents(.signing)) { try file.inserting(Secret(Self.first), at: 1) }
    }

    @Test func `nothing of a key is printed`() throws {
        let file = try Self.file(Self.first, .signing)
        var dumped = ""
        dump(file, to: &dumped)
        for text in ["\(file)", String(reflecting: file), dumped] { #expect(!text.contains("PRIVATE")) }
    }
}
