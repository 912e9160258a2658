// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBrokerTesting
import Signing
import SignInWithAppleTesting
import Testing

/// A user with two identities and a session, and the tokens of their project: right ones, and ones that differ in
/// what a test alters, signed by the same key.
struct AccountTokenFixture: Sendable {
    static let now: Int64 = 1_790_000_000
    static let projectID = "shop-test"
    static let issuer = "https://auth.example/__/auth/accounts"

    let key: SigningKey
    let tokens: AccountTokens
    var account: Account
    var identities: [AccountIdentity]
    var session: AccountSession

    init(_ algorithm: JSONWebAlgorithm = .es256) throws {
        let pem = try algorithm == .rs256 ? SharedRSAKeys.pem(1) : AccountKeyTexts.elliptic
        key = try SigningKey(pem: pem, algorithm: algorithm)
        tokens = try Self.tokens(pem)
        let id = try #require(AccountID("ada-account"))
        account = Account(id: id, createdAt: Self.now - 1000)
        account.email = EmailAddress("Ada@Example.com")
        account.isEmailVerified = true
        account.displayName = "Ada"
        account.photoURL = "https://example.com/ada.png"
        account.customClaims = CustomClaims(json: #"{"role": "admin", "level": 3}"#)
        identities = [
            Self.identity("https://appleid.apple.com", "001.ada", "apple.com", of: id),
            Self.identity("https://accounts.google.com", "108", "google.com", of: id),
        ]
        session = try Self.session(of: id)
    }

    static func tokens(_ pem: String) throws -> AccountTokens {
        let keys = try SigningKeys(pem: pem)
        return try #require(AccountTokens(projectID: projectID, issuer: issuer, keys: keys))
    }

    static func identity(
        _ issuer: String, _ subject: String, _ providerID: String, of account: AccountID
    ) -> AccountIdentity {
        let verified = VerifiedIdentity(IdentityKey(issuer: issuer, subject: subject), providerID: providerID)
        return AccountIdentity(verified, of: account, at: now)
    }

    static func session(of account: AccountID) throws -> AccountSession {
        let id = try #require(AccountSession.ID(bytes: [7] + [UInt8](repeating: 0, count: 15)))
        return AccountSession(
            id: id, secretHash: [UInt8](repeating: 1, count: 32), account: account, providerID: "apple.com",
            app: "web", authTime: now - 100, createdAt: now - 100, expiry: now + 86_400)
    }

    /// The token of the session.
    func sign(now: Int64 = AccountTokenFixture.now) throws -> String {
        try tokens.sign(account, identities: identities, session: session, now: now)
    }

    /// The token of the session with another header or other claims.
    /// - Parameters:
    ///   - signer: The key that signs, whatever the header says; by default that of the fixture.
    ///   - alterHeader: Alters the header.
    ///   - alterClaims: Alters the claims.
    func altered(
        by signer: SigningKey? = nil, header alterHeader: (inout JSONObject) -> Void = { _ in },
        claims alterClaims: (inout JSONObject) -> Void = { _ in }
    ) throws -> String {
        var (header, claims) = try Self.parts(of: sign())
        alterHeader(&header)
        alterClaims(&claims)
        return try (signer ?? key).sign(header: header, payload: claims.serialized())
    }

    /// The header and the claims of a token.
    static func parts(of token: String) throws -> (header: JSONObject, claims: JSONObject) {
        let segments = token.split(separator: ".", omittingEmptySubsequences: false)
        try #require(segments.count == 3)
        return (try object(segments[0]), try object(segments[1]))
    }

    private static func object(_ segment: Substring) throws -> JSONObject {
        let bytes = try #require(Base64URL.decode(segment.utf8))
        return try object(bytes)
    }

    private static func object(_ bytes: [UInt8]) throws -> JSONObject {
        try JSONParser.object(bytes, limits: JSONLimits(maximumBytes: 65_536))
    }

    /// A JSON object from its text.
    static func object(_ text: String) throws -> JSONObject {
        try object(Array(text.utf8))
    }
}

extension JSONValue {
    /// A number of seconds.
    static func seconds(_ value: Int64) -> JSONValue { .number(JSONNumber(value)) }
}
