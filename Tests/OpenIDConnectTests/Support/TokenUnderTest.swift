// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// An ID token that every check accepts, until a row of a table changes it; really signed, really verified.
struct TokenUnderTest: Sendable {
    /// Now, seconds since 1970.
    static let now: Int64 = 1_800_000_000
    static let issuer = "https://issuer.example"
    static let clientID = "client"
    static let nonce = "n-0S6_WzA2Mj"
    static let accessToken = HashClaim.accessToken.text

    private(set) var algorithm = JSONWebAlgorithm.es256
    var type: String?
    var claims: JSONObject = [
        "iss": .string(Self.issuer),
        "sub": "person",
        "aud": .string(Self.clientID),
        "exp": .number(JSONNumber(Self.now + 300)),
        "iat": .number(JSONNumber(Self.now)),
        "nonce": .string(Self.nonce),
    ]
    var expectation = IDTokenExpectation(
        issuer: Self.issuer, clientID: Self.clientID, nonce: Self.nonce, now: Self.now)

    init(_ situation: Situation = .tokenEndpoint) {
        bind(.code, isClaimed: situation == .frontChannel)
        bind(.state, isClaimed: situation == .frontChannel)
        switch situation {
        case .tokenEndpoint: bind(.accessToken, isClaimed: true)
        case .frontChannel: expectation.requiresCodeHash = true
        }
    }

    /// Expects what a claim hashes, and where it is claimed puts the right hash into the token.
    mutating func bind(_ claim: HashClaim, isClaimed: Bool = true) {
        claim.expect(claim.text, in: &expectation)
        if isClaimed { claims[claim.name] = .string(claim.value(algorithm)) }
    }

    /// Signs with another algorithm; the hashes in the token are then those of this algorithm.
    mutating func sign(with algorithm: JSONWebAlgorithm) {
        self.algorithm = algorithm
        for claim in HashClaim.all where claims[claim.name] != nil {
            claims[claim.name] = .string(claim.value(algorithm))
        }
    }

    /// Signs the token with a key made for it, and verifies it with that key's public half.
    func verified() throws -> VerifiedPayload {
        let key = try SigningKey.generate(algorithm)
        let keys = try KeySet(json: (["keys": [.object(key.publicJWK)]] as JSONObject).serialized())
        return try JSONWebSignature(compact: key.sign(claims, type: type))
            .verified(by: keys, algorithms: [algorithm])
    }
}

/// One way in which a token may differ.
struct TokenChange: Sendable, CustomStringConvertible {
    /// The check it is about.
    let check: String
    /// What is different, for the test's report.
    let description: String
    let apply: @Sendable (inout TokenUnderTest) -> Void

    init(_ check: String, _ description: String, _ apply: @escaping @Sendable (inout TokenUnderTest) -> Void) {
        self.check = check
        self.description = "\(check): \(description)"
        self.apply = apply
    }

    /// The same for a claim that is replaced, or removed by nil.
    init(_ check: String, claim: String, _ value: JSONValue?) {
        self.init(check, "\(claim) is \(Self.text(value))") { $0.claims[claim] = value }
    }

    /// One change for each value of a claim.
    static func each(_ check: String, claim: String, _ values: [JSONValue?]) -> [TokenChange] {
        values.map { TokenChange(check, claim: claim, $0) }
    }

    /// A value, shortly, for a test's report.
    static func text(_ value: JSONValue?) -> String {
        guard let value else { return "absent" }
        return String(decoding: (["": value] as JSONObject).serialized().prefix(60), as: UTF8.self)
    }

    /// The token with the change made.
    func token(_ situation: Situation = .tokenEndpoint) -> TokenUnderTest {
        var token = TokenUnderTest(situation)
        apply(&token)
        return token
    }
}

/// A time so many seconds from now.
func seconds(_ offset: Int64) -> JSONValue { .number(JSONNumber(TokenUnderTest.now + offset)) }

/// A number in a spelling of choice.
func number(_ text: String) -> JSONValue { JSONNumber(text: text).map { .number($0) } ?? .null }

/// Values that are not a NumericDate, in any claim (RFC 7519 section 2).
let impossibleTimes: [JSONValue?] = [
    "1800000300", "NaN", "", number("1e300"), number("-1"), number("-0.5"), number("9007199254740993"),
    number("9007199254740992"), number("18446744073709551616"), .null, true, [], [1_800_000_300], [:],
]
