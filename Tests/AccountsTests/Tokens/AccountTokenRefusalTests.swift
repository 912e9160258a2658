// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBrokerTesting
import Testing

/// Tokens that differ from a right one in exactly one thing, and the reason for which each is refused.
struct AccountTokenRefusalTests {
    private static let now = AccountTokenFixture.now

    /// What is altered in the header or in the claims, and the error.
    struct Refusal: Sendable, CustomStringConvertible {
        let description: String
        let code: AccountTokenError.Code
        let claim: String?
        let alter: @Sendable (inout JSONObject) -> Void

        init(
            _ description: String, _ code: AccountTokenError.Code, of claim: String? = nil,
            alter: @escaping @Sendable (inout JSONObject) -> Void
        ) {
            self.description = description
            self.code = code
            self.claim = claim
            self.alter = alter
        }

        /// A member with another value, or without one.
        static func member(
            _ name: String, _ what: String, _ value: JSONValue?, _ code: AccountTokenError.Code = .claim
        ) -> Refusal {
            Refusal("\(name) \(what)", code, of: code == .claim ? name : nil) { $0[name] = value }
        }
    }

    private func refuse(
        _ token: String, _ code: AccountTokenError.Code, of claim: String? = nil, by tokens: AccountTokens,
        at location: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: AccountTokenError.self, sourceLocation: location) {
            try tokens.verify(token, now: Self.now)
        }
        #expect(error?.code == code, sourceLocation: location)
        #expect(error?.claim == claim, sourceLocation: location)
    }

    @Test(arguments: [JSONWebAlgorithm.es256, .rs256])
    func `without an alteration they are taken`(algorithm: JSONWebAlgorithm) throws {
        let fixture = try AccountTokenFixture(algorithm)
        _ = try fixture.tokens.verify(fixture.altered(), now: Self.now)
        _ = try fixture.tokens.verify(fixture.altered(header: { $0["typ"] = nil }), now: Self.now)
        _ = try fixture.tokens.verify(fixture.altered(claims: { $0["exp"] = .seconds(Self.now + 1) }), now: Self.now)
        _ = try fixture.tokens.verify(fixture.altered(claims: { $0["iat"] = .seconds(Self.now + 60) }), now: Self.now)
        _ = try fixture.tokens.verify(
            fixture.altered(claims: { $0["auth_time"] = .seconds(Self.now + 60) }), now: Self.now)
    }

    // MARK: Claims

    static let parties: [Refusal] = [
        .member("iss", "missing", nil, .issuer),
        .member("iss", "with a slash", "https://auth.example/__/auth/accounts/", .issuer),
        .member("iss", "of the broker's other tokens", "https://auth.example", .issuer),
        .member("iss", "in an array", ["https://auth.example/__/auth/accounts"], .issuer),
        .member("aud", "missing", nil, .audience),
        .member("aud", "of another project", "shop-test-2", .audience),
        .member("aud", "in an array", ["shop-test"], .audience),
        .member("aud", "with another one", ["shop-test", "shop-test-2"], .audience),
    ]

    static let times: [Refusal] = [
        .member("exp", "missing", nil),
        .member("exp", "as a text", "1790003600"),
        .member("exp", "negative", -1),
        .member("exp", "now", .seconds(now), .expired),
        .member("iat", "missing", nil),
        .member("iat", "as a text", "1790000000"),
        .member("iat", "61 seconds ahead", .seconds(now + 61), .notYetValid),
        .member("auth_time", "missing", nil),
        .member("auth_time", "as a text", "1789999900"),
        .member("auth_time", "61 seconds after iat", .seconds(now + 61)),
    ]

    static let subjects: [Refusal] = [
        .member("sub", "missing", nil),
        .member("sub", "a number", 1),
        .member("user_id", "missing", nil),
        .member("user_id", "of another account", "eve-account"),
        .member("sid", "missing", nil),
        .member("sid", "of 15 bytes", .string(Base64URL.encode([UInt8](repeating: 7, count: 15)))),
        .member("sid", "of 17 bytes", .string(Base64URL.encode([UInt8](repeating: 7, count: 17)))),
        .member("sid", "with unused bits", "BwAAAAAAAAAAAAAAAAAAAB"),
        .member("sid", "with padding", "BwAAAAAAAAAAAAAAAAAAAA=="),
        Refusal("sub of another account", .claim, of: "user_id") { $0["sub"] = "eve-account" },
        Refusal("sub and user_id with a NUL", .claim, of: "sub") { Self.replaceAccount(&$0, "ada\u{0}account") },
        Refusal("sub and user_id empty", .claim, of: "sub") { Self.replaceAccount(&$0, "") },
        Refusal("sub and user_id of 129 characters", .claim, of: "sub") {
            Self.replaceAccount(&$0, String(repeating: "a", count: 129))
        },
    ]

    static let others: [Refusal] = [
        .member("email", "a number", 1),
        .member("email", "no address", "ada"),
        .member("email_verified", "missing", nil),
        .member("email_verified", "as a text", "true"),
        .member("name", "a number", 1),
        .member("picture", "null", .null),
        Refusal("no firebase", .claim, of: "sign_in_provider") { $0["firebase"] = nil },
        Refusal("no sign_in_provider", .claim, of: "sign_in_provider") {
            $0["firebase"] = .object(["identities": [:]])
        },
        Refusal("an empty sign_in_provider", .claim, of: "sign_in_provider") {
            $0["firebase"] = .object(["sign_in_provider": ""])
        },
    ]

    private static func replaceAccount(_ claims: inout JSONObject, _ account: String) {
        claims["sub"] = .string(account)
        claims["user_id"] = .string(account)
    }

    @Test(arguments: parties + times + subjects + others)
    func `one claim is altered`(refusal: Refusal) throws {
        let fixture = try AccountTokenFixture()
        refuse(try fixture.altered(claims: refusal.alter), refusal.code, of: refusal.claim, by: fixture.tokens)
    }

    // MARK: Header, key and signature

    static let headers: [Refusal] = [
        .member("typ", "of an access token", "at+jwt", .malformed),
        .member("typ", "in small letters", "jwt", .malformed),
        .member("typ", "a number", 1, .malformed),
        .member("crit", "of a name that is known", ["exp"], .malformed),
        .member("kid", "missing", nil, .unknownKey),
        .member("kid", "unknown", "0", .unknownKey),
        .member("alg", "missing", nil, .malformed),
        .member("alg", "none", "none", .algorithm),
        .member("alg", "unknown", "ES256K", .algorithm),
        .member("alg", "of an RSA key", "RS256", .algorithm),
        .member("alg", "of a shared secret", "HS256", .algorithm),
    ]

    @Test(arguments: headers) func `one member of the header is altered`(refusal: Refusal) throws {
        let fixture = try AccountTokenFixture()
        refuse(try fixture.altered(header: refusal.alter), refusal.code, by: fixture.tokens)
    }

    @Test func `there is no signature, and alg is none`() throws {
        let fixture = try AccountTokenFixture()
        let token = try fixture.altered(header: { $0["alg"] = "none" })
        let unsigned = token.split(separator: ".").prefix(2).joined(separator: ".") + "."
        refuse(unsigned, .algorithm, by: fixture.tokens)
    }

    @Test func `the key of the kid signs with another algorithm, which another key has`() throws {
        let fixture = try AccountTokenFixture()
        let rsa = try SharedRSAKeys.pem(1)
        let both = try AccountTokenFixture.tokens(AccountKeyTexts.elliptic + rsa + "\n")
        let signer = try SigningKey(pem: rsa, algorithm: .rs256)
        refuse(try fixture.altered(by: signer, header: { $0["alg"] = "RS256" }), .algorithm, by: both)
    }

    @Test(arguments: [JSONWebAlgorithm.ps256, .rs384])
    func `an RSA key signs with RS256 only`(algorithm: JSONWebAlgorithm) throws {
        let fixture = try AccountTokenFixture(.rs256)
        let signer = try SigningKey(pem: SharedRSAKeys.pem(1), algorithm: algorithm)
        let token = try fixture.altered(by: signer, header: { $0["alg"] = .string(algorithm.rawValue) })
        refuse(token, .algorithm, by: fixture.tokens)
    }

    @Test func `another key signs under the kid, or other claims stand under the signature`() throws {
        let fixture = try AccountTokenFixture()
        let stranger = try SigningKey(pem: AccountKeyTexts.secondElliptic)
        refuse(try fixture.altered(by: stranger), .signature, by: fixture.tokens)

        let signed = try fixture.sign().split(separator: ".")
        let other = try fixture.sign(now: Self.now - 1).split(separator: ".")
        refuse("\(signed[0]).\(other[1]).\(signed[2])", .signature, by: fixture.tokens)
    }

    // MARK: Form

    @Test func `the text is not a compact JWS, or its payload not an object`() throws {
        let fixture = try AccountTokenFixture()
        let token = try fixture.sign()
        let segments = token.split(separator: ".")
        let (header, claims) = try AccountTokenFixture.parts(of: token)
        var twice = claims.serialized().dropLast()
        twice += Array(#","aud":"shop-test"}"#.utf8)
        let texts = [
            "", ".", "..", "\(segments[0]).\(segments[1])", token + ".", token + ".AA", "." + token, token + "=",
            token + "\n", " " + token, "Bearer " + token, "ü" + token,
            try fixture.key.sign(header: header, payload: Array("[1]".utf8)),
            try fixture.key.sign(header: header, payload: []),
            try fixture.key.sign(header: header, payload: Array(twice)),
        ]
        for text in texts { refuse(text, .malformed, by: fixture.tokens) }
    }

    @Test func `a token has at most 16 KB`() throws {
        let fixture = try AccountTokenFixture()
        func token(_ count: Int) throws -> String {
            try fixture.altered(claims: { $0["padding"] = .string(String(repeating: "a", count: count)) })
        }
        let count = try 1 + (AccountTokens.maximumLength - token(1).utf8.count) * 3 / 4
        let longest = try token(count)
        #expect((AccountTokens.maximumLength - 3...AccountTokens.maximumLength).contains(longest.utf8.count))
        _ = try fixture.tokens.verify(longest, now: Self.now)
        refuse(try token(count + 6), .tooLong, by: fixture.tokens)
    }

    @Test func `the codes do not change`() {
        let codes = AccountTokenError.Code.Value.allCases.map { AccountTokenError.Code($0).description }
        #expect(
            codes == [
                "tooLong", "malformed", "algorithm", "unknownKey", "signature", "issuer", "audience", "expired",
                "notYetValid", "claim", "mismatch",
            ])
    }
}
