// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import SingleUse
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerPages
@testable import OIDCBrokerState

/// The hand-off.
struct HandOffTests {
    private let record = HandOffRecord(
        clientID: "shop", redirectURI: "https://shop.example/callback", codeChallenge: Array(repeating: 4, count: 32),
        issuer: Installation.issuer, claims: ["sub": "x", "nested": ["a": [1, true, .null]]],
        upstream: ["id_token": "y"])

    @Test func `the record comes back as it was, with and without upstream`() throws {
        #expect(HandOffRecord(record.encoded) == record)
        var other = record
        other.upstream = nil
        #expect(HandOffRecord(other.encoded) == other)
        other.decidedAt = 1_700_000_000
        #expect(HandOffRecord(other.encoded) == other)
        for count in 0..<record.encoded.count { #expect(HandOffRecord(Array(record.encoded[..<count])) == nil) }
        #expect(HandOffRecord(record.encoded + [0]) == nil)
    }

    @Test func `the reference of the login comes back, and none that is none`() {
        var other = record
        other.reference = PageReference(loginID: [1])
        #expect(HandOffRecord(other.encoded) == other)
        for count in 1...10 { #expect(HandOffRecord(Array(other.encoded.dropLast(count))) == nil) }
        #expect(HandOffRecord(Array(other.encoded.dropLast()) + [UInt8(ascii: "0")]) == nil)
    }

    @Test func `the session of the provider comes back, and a record of an older version has none`() {
        var other = record
        other.resources = ["orders"]
        other.providerSession = "s-1"
        let encoded = other.encoded
        #expect(HandOffRecord(encoded) == other)
        for count in 0..<encoded.count { #expect(HandOffRecord(Array(encoded[..<count])) == nil) }
        #expect(HandOffRecord(encoded + [0]) == nil)
        // As an older version writes it.
        var writer = ByteWriter()
        for text in [record.clientID, record.redirectURI] { writer.write(counted: text.utf8) }
        writer.write(counted: record.codeChallenge ?? [])
        writer.write(counted: record.issuer.utf8)
        record.scopes.write(to: &writer)
        writer.write(long: record.claims.bytes)
        writer.write(UInt8(1))
        writer.write(long: record.upstream?.bytes ?? [])
        #expect(HandOffRecord(writer.bytes) == record)
    }

    @Test func `a missing challenge comes back as none, and an empty one is refused`() {
        var other = record
        other.codeChallenge = nil
        #expect(HandOffRecord(other.encoded) == other)
        other.codeChallenge = []
        #expect(HandOffRecord(other.encoded) == nil)
    }

    @Test func `only its code opens it, and the store's entry does not`() throws {
        let handOff = HandOff()
        let sealed = try #require(handOff.seal(record))
        #expect(handOff.open(sealed) == record)
        #expect(HandOff(code: handOff.code)?.open(sealed) == record)
        #expect(HandOff().open(sealed) == nil)
        #expect(!sealed.isEmpty)
        #expect(!String(decoding: sealed, as: UTF8.self).contains("shop"))
        #expect(handOff.key.bytes != Base64URL.decode(handOff.code))
        for position in sealed.indices {
            var changed = sealed
            changed[position] ^= 0x80
            #expect(handOff.open(changed) == nil)
        }
    }

    @Test(
        arguments: [
            "", "x", String(repeating: "=", count: 43), String(repeating: "A", count: 42) + "+",
            String(repeating: "A", count: 42) + "B", String(repeating: "A", count: 42),
            String(repeating: "A", count: 44), String(repeating: "A", count: 41) + "\u{e9}",
        ])
    func `a code is 43 characters of base64url`(text: String) {
        #expect(HandOff(code: text) == nil)
        #expect(HandOff(code: HandOff().code) != nil)
    }

    @Test func `what waits for the user opens under the login's binding value only`() throws {
        let loginID = [UInt8](repeating: 1, count: 16)
        let binding = [UInt8](repeating: 2, count: 32)
        let held = PendingHandOff(loginID: loginID, binding: binding)
        let redirectURI = try #require(RedirectURI("http://127.0.0.1:51004/callback"))
        for (state, provider) in [("a state", nil), (nil, SingleUseKey.provider(issuer: "i"))] {
            var own = record
            own.redirectURI = redirectURI.text
            let delivery = HandOffDelivery(
                record: own,
                destination: AppDestination(
                    redirectURI: redirectURI, state: state, responseMode: .fragment, issuer: Installation.issuer,
                    language: .japanese),
                owner: .owner(issuer: "i", subject: "s", provider: provider))
            let sealed = try #require(held.seal(.ofApp(delivery)))
            guard case .ofApp(let opened)? = held.open(sealed) else {
                Issue.record("it does not open")
                continue
            }
            #expect(opened.record == own)
            #expect(opened.destination.state == state)
            #expect(opened.destination.responseMode == .fragment)
            #expect(opened.owner == .owner(issuer: "i", subject: "s", provider: provider))
            #expect(opened.destination.redirectURI == redirectURI)
            #expect(opened.destination.language == .japanese)
            #expect(PendingHandOff(loginID: loginID, binding: Array(repeating: 3, count: 32)).open(sealed) == nil)
            #expect(PendingHandOff(loginID: Array(repeating: 3, count: 16), binding: binding).open(sealed) == nil)
            #expect(PendingHandOff(loginID: loginID, binding: binding, until: .claim).open(sealed) == nil)
        }
    }
}
