// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerState

/// The sealing of state.
struct StateSealerTests {
    private static let issuer = "https://auth.example.com/__/auth"
    private static let first = LoginKeys(sealingKey: Array(repeating: 1, count: 32))
    private static let second = LoginKeys(sealingKey: Array(repeating: 2, count: 32))
    private let plaintext = LoginStateTests.make().encoded

    @Test func `opens what it sealed, for the same purpose only`() throws {
        let sealer = StateSealer(keys: [Self.first], issuer: Self.issuer)
        let login = try #require(sealer.seal(plaintext, for: .login))
        let choice = try #require(sealer.seal(plaintext, for: .choice))
        #expect(sealer.open(login, for: .login)?.plaintext == plaintext)
        #expect(sealer.open(choice, for: .choice)?.plaintext == plaintext)
        #expect(sealer.open(login, for: .choice) == nil)
        #expect(sealer.open(choice, for: .login) == nil)
        let kept = try #require(sealer.seal(plaintext, for: .signOut))
        #expect(sealer.open(kept, for: .signOut)?.plaintext == plaintext)
        #expect(sealer.open(kept, for: .logout) == nil)
    }

    @Test(.attack(.tamperedState)) func `seals with the first key and opens with each, and says which it was`() throws {
        let old = StateSealer(keys: [Self.first], issuer: Self.issuer)
        let added = StateSealer(keys: [Self.first, Self.second], issuer: Self.issuer)
        let moved = StateSealer(keys: [Self.second, Self.first], issuer: Self.issuer)
        let new = StateSealer(keys: [Self.second], issuer: Self.issuer)
        let byFirst = try #require(added.seal(plaintext, for: .login))
        let bySecond = try #require(moved.seal(plaintext, for: .login))
        #expect(moved.open(byFirst, for: .login)?.keys.keyID == Self.first.keyID)
        #expect(added.open(bySecond, for: .login)?.keys.keyID == Self.second.keyID)
        #expect(old.open(byFirst, for: .login) != nil)
        #expect(old.open(bySecond, for: .login) == nil)
        #expect(new.open(byFirst, for: .login) == nil)
        #expect(new.open(bySecond, for: .login) != nil)
    }

    @Test func `a state of another issuer does not open, even with the same key`() throws {
        let sealed = try #require(StateSealer(keys: [Self.first], issuer: Self.issuer).seal(plaintext, for: .login))
        #expect(StateSealer(keys: [Self.first], issuer: Self.issuer + "/").open(sealed, for: .login) == nil)
    }

    @Test(.attack(.tamperedState)) func `a bit flipped in any byte is noticed, and so is a byte less or more`() throws {
        let sealer = StateSealer(keys: [Self.first, Self.second], issuer: Self.issuer)
        let sealedText = try #require(sealer.seal(plaintext, for: .login))
        let sealed = try #require(Base64URL.decode(sealedText))
        for position in sealed.indices {
            for bit in 0..<8 {
                var flipped = sealed
                flipped[position] ^= 1 << UInt8(bit)
                #expect(sealer.open(Base64URL.encode(flipped), for: .login) == nil, "byte \(position)")
            }
            #expect(sealer.open(Base64URL.encode(sealed[..<position]), for: .login) == nil)
        }
        #expect(sealer.open(Base64URL.encode(sealed + [0]), for: .login) == nil)
        #expect(sealer.open(Base64URL.encode(sealed), for: .login) != nil)
    }

    @Test(
        arguments: [
            "A", "=", "AQ", "!!!!", " ", "AQ==", "\u{e9}", "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSY",
        ])
    func `text that is not of its making does not open, alone or behind what it made`(text: String) throws {
        let sealer = StateSealer(keys: [Self.first], issuer: Self.issuer)
        #expect(sealer.open("", for: .login) == nil)
        #expect(sealer.open(text, for: .login) == nil)
        let sealed = try #require(sealer.seal(plaintext, for: .login))
        #expect(sealer.open(sealed + text, for: .login) == nil)
    }

    @Test func `a login state has at most 1,100 characters`() throws {
        let sealer = StateSealer(keys: [Self.first], issuer: Self.issuer)
        // 1,100 characters are 825 bytes: 33 of them are version, key id, nonce and tag.
        let longest = try #require(sealer.seal(Array(repeating: 0, count: 792), for: .login))
        #expect(longest.utf8.count == 1100)
        #expect(sealer.open(longest, for: .login) != nil)
        #expect(sealer.seal(Array(repeating: 0, count: 793), for: .login) == nil)
    }

    @Test func `ten thousand seals repeat no nonce`() throws {
        let sealer = StateSealer(keys: [Self.first], issuer: Self.issuer)
        var nonces: Set<[UInt8]> = []
        for _ in 0..<10_000 {
            let sealed = try #require(sealer.seal([1], for: .login).flatMap { Base64URL.decode($0) })
            nonces.insert(Array(sealed[5..<17]))
        }
        #expect(nonces.count == 10_000)
    }
}
