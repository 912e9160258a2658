// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBrokerTesting
import Signing
import Testing

/// Which texts are signing keys of accounts, which of them signs, and what is published.
struct AccountSigningKeysTests {
    /// A text, and what it is.
    struct Text: Sendable, CustomStringConvertible {
        let description: String
        let pem: String

        init(_ description: String, _ pem: String) {
            self.description = description
            self.pem = pem
        }
    }

    /// A text that is refused, and the error.
    struct Refusal: Sendable, CustomStringConvertible {
        let description: String
        let pem: String
        let code: SigningKeysError.Code
        let keyNumber: Int?

        init(_ description: String, _ pem: String, _ code: SigningKeysError.Code, _ keyNumber: Int? = nil) {
            self.description = description
            self.pem = pem
            self.code = code
            self.keyNumber = keyNumber
        }
    }

    private static let elliptic = AccountKeyTexts.elliptic
    private static let second = AccountKeyTexts.secondElliptic

    private static func block(_ label: String) -> String { "-----BEGIN \(label)-----\nAAAA\n-----END \(label)-----\n" }

    /// The lines of ``elliptic`` behind something, with something else between them.
    private static func lines(behind start: String = "", joinedBy separator: String) -> String {
        elliptic.split(separator: "\n").map { start + $0 }.joined(separator: separator)
    }

    private func published(_ keys: SigningKeys) throws -> [JSONObject] {
        let set = try AccountTokenFixture.object(keys.jwks)
        return try #require(set["keys"]?.arrayValue).compactMap(\.objectValue)
    }

    private func keyIDs(_ keys: SigningKeys) throws -> [String] {
        try published(keys).compactMap { $0["kid"]?.text?.makeString() }
    }

    // MARK: What is taken

    static let texts = [
        Text("as openssl writes it", elliptic), Text("without the last line break", lines(joinedBy: "\n")),
        Text("with CRLF", lines(joinedBy: "\r\n")), Text("indented", lines(behind: "    ", joinedBy: " \n")),
        Text("behind words", "The newest key:\n" + elliptic), Text("before words", elliptic + "Made today.\n"),
        Text("behind a certificate", block("CERTIFICATE") + elliptic),
        Text("before a public key", elliptic + block("PUBLIC KEY")),
    ]

    @Test(arguments: texts) func `one key, however its text looks`(text: Text) throws {
        let keys = try SigningKeys(pem: text.pem)
        #expect(try keyIDs(keys) == [SigningKey(pem: Self.elliptic).keyID])
    }

    @Test func `a key behind the name of its curve`() throws {
        let keys = try SigningKeys(pem: AccountKeyTexts.withParameters)
        #expect(try keyIDs(keys) == [SigningKey(pem: AccountKeyTexts.withParameters).keyID])
    }

    @Test func `the first key signs, all are published with their algorithm and without their secrets`() throws {
        let rsa = try SharedRSAKeys.pem(1)
        let pem = Self.second + rsa + "\n" + Self.elliptic
        let keys = try SigningKeys(pem: pem)
        let expected = [
            try SigningKey(pem: rsa, algorithm: .rs256), try SigningKey(pem: Self.second),
            try SigningKey(pem: Self.elliptic),
        ]
        let published = try published(keys)
        #expect(published == expected.map(\.publicJWK))
        #expect(published.map { $0["alg"]?.text?.makeString() } == ["RS256", "ES256", "ES256"])
        #expect(published.allSatisfy { $0["use"] == "sig" })
        for name in ["d", "p", "q", "dp", "dq", "qi", "k"] { #expect(published.allSatisfy { $0[name] == nil }) }

        let fixture = try AccountTokenFixture()
        let token = try AccountTokenFixture.tokens(pem).sign(
            fixture.account, identities: fixture.identities, session: fixture.session, now: AccountTokenFixture.now)
        let header = try AccountTokenFixture.parts(of: token).header
        #expect(header["kid"]?.text?.makeString() == expected[1].keyID)
    }

    @Test func `a generated key is a new one for ES256`() throws {
        let (first, second) = (try SigningKeys.generate(), try SigningKeys.generate())
        #expect(try published(first).map { $0["alg"]?.text?.makeString() } == ["ES256"])
        #expect(try keyIDs(first) != keyIDs(second))
    }

    // MARK: What is refused

    static let refusals = [
        Refusal("nothing", "", .noKey), Refusal("words", "the key is in the safe", .noKey),
        Refusal("a public key", block("PUBLIC KEY"), .noKey),
        Refusal("a P-384 key", AccountKeyTexts.p384, .unsupportedKind, 1),
        Refusal("an Ed25519 key behind another key", elliptic + AccountKeyTexts.ed25519, .unsupportedKind, 2),
        Refusal("an RSA key of 1024 bits", AccountKeyTexts.rsaOf1024Bits, .unsupportedSize, 1),
        Refusal("an RSA key of 4104 bits", elliptic + AccountKeyTexts.rsaOf4104Bits, .unsupportedSize, 2),
        Refusal("an RSA key with a long exponent", AccountKeyTexts.rsaWithLongExponent, .unusable),
        Refusal("an encrypted key", block("ENCRYPTED PRIVATE KEY"), .encrypted, 1),
        Refusal("a key of another format", elliptic + block("OPENSSH PRIVATE KEY"), .unreadable, 2),
        Refusal("no last line", lines(joinedBy: "\n").withoutLastLine(), .unreadable, 1),
        Refusal("no last line before another key", lines(joinedBy: "\n").withoutLastLine() + second, .unreadable, 1),
        Refusal("a key that is commented out", lines(behind: "# ", joinedBy: "\n"), .noKey),
        Refusal("a key twice", elliptic + elliptic, .duplicate, 2),
        Refusal("a key again behind another one", elliptic + second + elliptic, .duplicate, 3),
        Refusal("16 keys, all the same", String(repeating: elliptic, count: 16), .duplicate, 2),
        Refusal("17 keys", String(repeating: elliptic, count: 17), .tooMany),
    ]

    @Test(arguments: refusals) func `a text that is refused`(refusal: Refusal) {
        let error = #expect(throws: SigningKeysError.self) { try SigningKeys(pem: refusal.pem) }
        #expect(error?.code == refusal.code)
        #expect(error?.keyNumber == refusal.keyNumber)
        #expect(error?.description.contains("MI") == false)
    }

    @Test func `printing shows the identifiers only`() throws {
        let keys = try SigningKeys(pem: Self.elliptic + Self.second)
        let expected = "SigningKeys(\(try keyIDs(keys).joined(separator: ", ")))"
        #expect("\(keys)" == expected)
        #expect(String(reflecting: keys) == expected)
        var dumped = ""
        dump(keys, to: &dumped)
        #expect(!dumped.contains("material"))
        #expect(!dumped.contains("jwks"))
    }
}

extension String {
    /// The text without its last line.
    fileprivate func withoutLastLine() -> String {
        split(separator: "\n").dropLast().joined(separator: "\n") + "\n"
    }
}
