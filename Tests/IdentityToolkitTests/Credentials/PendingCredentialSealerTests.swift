// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

@testable import IdentityToolkit

/// Which texts are pending credentials of a project.
struct PendingCredentialSealerTests {
    private static let now = PendingCredentialFixture.now
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private let sealer = PendingCredentialFixture.sealer(1)

    /// Seals a content without the sealer, in its format.
    private func seal(
        _ content: [UInt8], version: UInt8 = 1, purpose: String = "identity-toolkit pending credential v1",
        authenticating data: String = "identity-toolkit pending credential v1 shop-test web"
    ) throws -> String {
        let key = PendingCredentialFixture.sealingKey(1)
        let id = KeyDerivation.derive(key: key, info: "identity-toolkit pending credential key id v1", count: 4)
        let secret = SealingSecret(bytes: KeyDerivation.derive(key: key, info: purpose, count: 32))
        let box = try AuthenticatedEncryption.seal(content, key: secret, authenticating: Array(data.utf8))
        return Base64URL.encode([version] + id + box)
    }

    @Test(arguments: [PendingCredentialFixture.full, PendingCredentialFixture.bare])
    func `a credential is opened as it was sealed`(credential: PendingCredential) throws {
        let text = try #require(sealer.seal(credential))
        let opened = try #require(sealer.open(text, now: Self.now))
        try PendingCredentialFixture.expectSame(opened, credential)
        // No text is like another one.
        #expect(sealer.seal(credential) != text)
    }

    @Test func `the format is this one, and nothing that was sealed for another purpose, project or app`() throws {
        let content = PendingCredentialFixture.full.encoded
        #expect(try sealer.open(seal(content), now: Self.now) != nil)
        #expect(try sealer.open(seal(content, version: 0), now: Self.now) == nil)
        #expect(try sealer.open(seal(content, version: 2), now: Self.now) == nil)
        #expect(try sealer.open(seal(content, purpose: "oidc-broker state v1"), now: Self.now) == nil)
        let label = "identity-toolkit pending credential v1"
        for data in ["", "shop-test web", "\(label) shop-test", "\(label) shop-tes web", "\(label) shop-test ios"] {
            #expect(try sealer.open(seal(content, authenticating: data), now: Self.now) == nil, "\(data)")
        }
        let others: [[UInt8]] = [
            [], Array("{}".utf8), Array("null".utf8), Array(content.dropLast()), content + [0x20],
        ]
        for other in others {
            #expect(try sealer.open(seal(other), now: Self.now) == nil)
        }
    }

    @Test func `no character may be another one`() throws {
        let characters = Array(try #require(sealer.seal(PendingCredentialFixture.full)).utf8)
        for index in characters.indices {
            let place = try #require(Self.alphabet.firstIndex(of: characters[index]))
            // The next character differs in the lowest bit or in more, the one 32 further in the highest.
            for step in [1, 32, 63] {
                var altered = characters
                altered[index] = Self.alphabet[(place + step) % 64]
                let text = String(decoding: altered, as: UTF8.self)
                #expect(sealer.open(text, now: Self.now) == nil, "character \(index), step \(step)")
            }
        }
    }

    @Test func `no character may be missing, or be there besides`() throws {
        let text = try #require(sealer.seal(PendingCredentialFixture.bare))
        for count in 0..<text.utf8.count {
            #expect(sealer.open(String(text.prefix(count)), now: Self.now) == nil, "\(count)")
        }
        for more in ["A", "AA", "AAAA", "=", "==", ".", " ", "\n", "\0", "\u{E9}", text] {
            #expect(sealer.open(text + more, now: Self.now) == nil, "\(more)")
            #expect(sealer.open(more + text, now: Self.now) == nil, "\(more)")
        }
    }

    @Test(arguments: ["", "A", "AQ", "AQIDBA", "AQIDBAUGBwg", "null", "{}", "a.b.c", "\u{FF21}QIDBA"])
    func `a text that is none`(text: String) {
        #expect(sealer.open(text, now: Self.now) == nil)
    }

    @Test func `another project cannot open it, even with the same key`() throws {
        let text = try #require(sealer.seal(PendingCredentialFixture.full))
        for projectID in ["shop-tesu", "shop-tes", "shop-test2", "SHOP-TEST", ""] {
            let other = PendingCredentialFixture.sealer(1, projectID: projectID)
            #expect(other.open(text, now: Self.now) == nil, "\(projectID)")
        }
        #expect(PendingCredentialFixture.sealer(1).open(text, now: Self.now) != nil)
    }

    @Test func `another app cannot open it`() throws {
        let text = try #require(sealer.seal(PendingCredentialFixture.full, for: "ios"))
        for app in ["web", "ios2", "io", "IOS", ""] {
            #expect(sealer.open(text, for: app, now: Self.now) == nil, "\(app)")
        }
        #expect(sealer.open(text, for: "ios", now: Self.now) != nil)
    }

    @Test func `the newest key seals, and each opens`() throws {
        let old = PendingCredentialFixture.sealer(1)
        let added = PendingCredentialFixture.sealer(1, 2)
        let moved = PendingCredentialFixture.sealer(2, 1)
        let new = PendingCredentialFixture.sealer(2)
        let byFirst = try #require(added.seal(PendingCredentialFixture.full))
        let bySecond = try #require(moved.seal(PendingCredentialFixture.full))
        #expect(old.open(byFirst, now: Self.now) != nil)
        #expect(moved.open(byFirst, now: Self.now) != nil)
        #expect(added.open(bySecond, now: Self.now) != nil)
        #expect(new.open(bySecond, now: Self.now) != nil)
        #expect(new.open(byFirst, now: Self.now) == nil)
        #expect(old.open(bySecond, now: Self.now) == nil)
        #expect(PendingCredentialFixture.sealer().seal(PendingCredentialFixture.full) == nil)
        #expect(PendingCredentialFixture.sealer().open(byFirst, now: Self.now) == nil)
    }

    @Test func `it opens for 1,800 seconds from the verification, also when it is sealed again`() throws {
        let text = try #require(sealer.seal(PendingCredentialFixture.full))
        let opened = try #require(sealer.open(text, now: Self.now + 1799))
        #expect(sealer.open(text, now: Self.now + 1800) == nil)
        let again = try #require(sealer.seal(opened))
        #expect(sealer.open(again, now: Self.now + 1799) != nil)
        #expect(sealer.open(again, now: Self.now + 1800) == nil)
        #expect(sealer.open(text, now: Self.now - 60) != nil)
        #expect(sealer.open(text, now: Self.now - 61) == nil)
        for now in [Int64.min, .max] { #expect(sealer.open(text, now: now) == nil) }
    }

    @Test func `a text of 24 KB is made and opened, and none that is longer`() throws {
        // 24,576 characters are 18,432 bytes: 33 of them are version, key ID, nonce and tag.
        let longest = 18_399 - PendingCredentialFixture.make(idToken: "").encoded.count
        let credential = PendingCredentialFixture.make(idToken: String(repeating: "a", count: longest))
        let text = try #require(sealer.seal(credential))
        #expect(text.utf8.count == 24_576)
        #expect(sealer.open(text, now: Self.now) != nil)
        for length in [longest + 1, longest + 2, 1_000_000] {
            let longer = PendingCredentialFixture.make(idToken: String(repeating: "a", count: length))
            #expect(sealer.seal(longer) == nil, "\(length)")
            #expect(try sealer.open(seal(longer.encoded), now: Self.now) == nil, "\(length)")
        }
    }

    @Test func `printing shows nothing of the keys`() {
        var dumped = ""
        dump(sealer, to: &dumped)
        for shown in ["\(sealer)", String(reflecting: sealer), dumped] {
            #expect(shown.contains("PendingCredentialSealer"))
            #expect(shown.utf8.count < 60)
        }
    }
}
