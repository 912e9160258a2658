// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import Testing

/// Which texts are refresh tokens, and what a token tells.
struct RefreshTokenTests {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private let session = AccountSession.ID()

    private func token() -> RefreshToken { RefreshToken(session: session) }

    /// The text of a token of these bytes, with the right checksum.
    private func text(version: UInt8 = 1, secretByteCount: Int = 32) -> String {
        let content = [version] + session.bytes + [UInt8](repeating: 5, count: secretByteCount)
        return Base64URL.encode(content + Array(Hash.sha256(content).prefix(4)))
    }

    @Test func `a token is read as it was written`() throws {
        let token = token()
        #expect(token.text.utf8.count == RefreshToken.length)
        let bytes = try #require(Base64URL.decode(token.text))
        #expect(bytes.count == 53)
        #expect(bytes[0] == 1)
        #expect(Array(bytes[1..<17]) == session.bytes)
        #expect(token.secretHash == Hash.sha256(Array(bytes[17..<49])))
        #expect(Array(bytes[49...]) == Array(Hash.sha256(Array(bytes[..<49])).prefix(4)))

        let read = try #require(RefreshToken(token.text))
        #expect(read.text == token.text)
        #expect(read.sessionID == session)
        #expect(read.secretHash == token.secretHash)
    }

    @Test func `each token of a session has a secret of its own`() {
        #expect(token().secretHash != token().secretHash)
    }

    @Test func `no byte may be another one`() throws {
        let bytes = try #require(Base64URL.decode(token().text))
        for index in bytes.indices {
            var altered = bytes
            altered[index] ^= 1
            #expect(RefreshToken(Base64URL.encode(altered)) == nil, "byte \(index)")
        }
    }

    @Test func `version and lengths are the only ones`() {
        #expect(RefreshToken(text()) != nil)
        #expect(RefreshToken(text(version: 0)) == nil)
        #expect(RefreshToken(text(version: 2)) == nil)
        for count in [0, 16, 31, 33, 64] { #expect(RefreshToken(text(secretByteCount: count)) == nil, "\(count)") }
    }

    @Test func `no other length is read`() {
        let text = token().text
        for count in 0..<RefreshToken.length { #expect(RefreshToken(String(text.prefix(count))) == nil, "\(count)") }
        for more in ["A", "=", "AA", "AAAA", " ", "\n", text] { #expect(RefreshToken(text + more) == nil, "\(more)") }
    }

    @Test func `the last character is the canonical one`() throws {
        let text = token().text
        let last = try #require(text.utf8.last.flatMap { Self.alphabet.firstIndex(of: $0) })
        // Two of its six bits are not used.
        #expect(last % 4 == 0)
        for unused in 1...3 {
            let other = String(decoding: [Self.alphabet[last + unused]], as: UTF8.self)
            #expect(RefreshToken(String(text.dropLast()) + other) == nil, "\(unused)")
        }
    }

    @Test(arguments: ["+", "/", "=", " ", ".", "\0", "\n"])
    func `no character is from another alphabet`(character: String) {
        let text = token().text
        for place in [0, 30, RefreshToken.length - 1] {
            let altered = String(text.prefix(place)) + character + String(text.dropFirst(place + 1))
            #expect(RefreshToken(altered) == nil, "at \(place)")
        }
    }

    @Test func `a text beyond ASCII of the same number of bytes is no token`() {
        #expect(RefreshToken(String(token().text.dropLast(2)) + "ü") == nil)
    }

    @Test func `printing shows nothing of it`() {
        let token = token()
        var dumped = ""
        dump(token, to: &dumped)
        for shown in ["\(token)", String(reflecting: token), dumped] {
            #expect(shown.contains("RefreshToken"))
            #expect(shown.utf8.count < 40)
            #expect(!shown.contains(token.text))
        }
    }
}
