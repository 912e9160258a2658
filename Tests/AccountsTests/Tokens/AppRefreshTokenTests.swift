// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OpenIDConnect
import Testing

/// Which texts are refresh tokens of OpenID apps, and how their secrets are derived.
struct AppRefreshTokenTests {
    private let session = AccountSession.ID()
    private let keys = SuccessorKeys(sealingKeys: [[UInt8](repeating: 7, count: 32)])
    private static let prefix = IssuedTokenPrefix.refreshToken

    private func token(seed: UInt8 = 1) throws -> AppRefreshToken {
        AppRefreshToken(
            session: session, seed: [UInt8](repeating: seed, count: 32), under: try #require(keys.current))
    }

    private func bytes(of text: String) throws -> [UInt8] {
        try #require(Base64URL.decode(String(text.dropFirst(Self.prefix.count))))
    }

    @Test func `a token is read as it was written`() throws {
        let token = try token()
        #expect(token.text.hasPrefix(Self.prefix))
        #expect(token.text.utf8.count == AppRefreshToken.length)
        let bytes = try bytes(of: token.text)
        #expect(bytes.count == 57)
        #expect(bytes[0] == 2)
        #expect(Array(bytes[1..<17]) == session.bytes)
        #expect(Array(bytes[17..<21]) == [0, 0, 0, 0])
        #expect(token.secretHash == Hash.sha256(Array(bytes[21..<53])))

        let read = try #require(AppRefreshToken(token.text))
        #expect(read.text == token.text)
        #expect(read.sessionID == session)
        #expect(read.generation == 0)
        #expect(read.secretHash == token.secretHash)
        #expect(!"\(token) \(String(reflecting: token))".contains(token.text.dropFirst(20)))
    }

    /// RFC 2104 and RFC 5869 with the functions of the library, not with those of the tokens.
    @Test func `a secret is the HMAC of the one before it, of the session and of the number`() throws {
        let key = KeyDerivation.derive(
            key: [UInt8](repeating: 7, count: 32), info: "oidc-broker refresh token v1", count: 32)
        let seed = [UInt8](repeating: 1, count: 32)
        let expected = Hash.AuthenticationKey(key).code(for: seed + session.bytes + [0, 0, 0, 0])
        #expect(try Array(bytes(of: token().text)[21..<53]) == expected)
        #expect(try token().secretHash == token().secretHash)
        #expect(try token().secretHash != token(seed: 2).secretHash)
    }

    @Test func `no byte may be another one, and no length`() throws {
        let text = try token().text
        let bytes = try bytes(of: text)
        for index in bytes.indices {
            var altered = bytes
            altered[index] ^= 1
            #expect(AppRefreshToken(Self.prefix + Base64URL.encode(altered)) == nil, "byte \(index)")
        }
        for count in 0..<text.count { #expect(AppRefreshToken(String(text.prefix(count))) == nil, "\(count)") }
        for more in ["A", "=", "AAAA", " ", text] { #expect(AppRefreshToken(text + more) == nil, "\(more)") }
        #expect(AppRefreshToken("oidcxt_" + text.dropFirst(Self.prefix.count)) == nil)
    }

    @Test func `neither wire takes a token of the other one`() throws {
        let (app, sdk) = (try token().text, RefreshToken(session: session).text)
        #expect(RefreshToken(app) == nil)
        #expect(RefreshToken(String(app.dropFirst(Self.prefix.count))) == nil)
        #expect(AppRefreshToken(sdk) == nil)
        #expect(AppRefreshToken(Self.prefix + sdk) == nil)
    }
}
