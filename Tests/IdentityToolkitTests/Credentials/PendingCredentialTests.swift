// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import Testing

@testable import IdentityToolkit

/// What a pending credential holds, how long it is usable, and what it uses up.
struct PendingCredentialTests {
    private static let now = PendingCredentialFixture.now

    @Test(arguments: [PendingCredentialFixture.full, PendingCredentialFixture.bare])
    func `a credential is read as it was written`(credential: PendingCredential) throws {
        let read = try #require(PendingCredential(encoded: credential.encoded))
        try PendingCredentialFixture.expectSame(read, credential)
    }

    @Test func `names and claims in any script and of any depth are read as they were written`() throws {
        let nested = String(repeating: "[", count: 31) + String(repeating: "]", count: 31)
        let text = #"{"name":"\u0000\"\\/é\u202e","deep":\#(nested),"number":1.50,"null":null}"#
        let claims = try JSONParser.object(Array(text.utf8), limits: JSONLimits(maximumBytes: 65_536))
        let identity = VerifiedIdentity(
            IdentityKey(issuer: "https://issuer.example/\"", subject: "e\u{301}\\"), providerID: "oidc.é",
            displayName: "\u{5D0}\u{1F600}\"")
        let credential = PendingCredentialFixture.make(identity, claims: claims)
        let read = try #require(PendingCredential(encoded: credential.encoded))
        try PendingCredentialFixture.expectSame(read, credential)
        #expect(read.claims.serialized() == claims.serialized())
    }

    @Test func `no part may be missing, but for what a provider need not send`() throws {
        let whole = try #require(JSONObjectText(bytes: PendingCredentialFixture.full.encoded)?.object)
        let optional = ["email", "name", "picture", "access_token", "access_token_exp", "origin", "account"]
        for member in whole.members {
            var object = whole
            object[member.name] = nil
            let isOptional = optional.contains { member.name.hasSameBytes(as: $0) }
            let isRead = PendingCredential(encoded: object.serialized()) != nil
            #expect(isRead == isOptional, "\(member.name.makeString())")
        }
        let origins: [JSONValue] = ["x", [:], ["hash": "AAAA"], ["exp": 1], ["hash": "?", "exp": 1]]
        for origin in origins {
            var object = whole
            object["origin"] = origin
            #expect(PendingCredential(encoded: object.serialized()) == nil)
        }
        for account in ["", .null, 1, [:]] as [JSONValue] {
            var object = whole
            object["account"] = account
            #expect(PendingCredential(encoded: object.serialized()) == nil)
        }
        var object = whole
        object["random"] = .string(Base64URL.encode([UInt8](repeating: 0, count: 15)))
        #expect(PendingCredential(encoded: object.serialized()) == nil)
    }

    @Test func `it is usable for half an hour`() {
        let credential = PendingCredentialFixture.full
        #expect(credential.isUsable(at: Self.now))
        #expect(credential.isUsable(at: Self.now + 1799))
        #expect(!credential.isUsable(at: Self.now + 1800))
        // The clock of the server that made it may be a minute ahead.
        #expect(credential.isUsable(at: Self.now - 60))
        #expect(!credential.isUsable(at: Self.now - 61))
    }

    @Test func `the authentication may be long before the verification, and is never after it`() {
        func credential(_ authTime: Int64) -> PendingCredential {
            PendingCredential(
                VerifiedIdentity(PendingCredentialFixture.key, providerID: "apple.com"), claims: [:], idToken: "a.b.c",
                verifiedAt: Self.now, authTime: authTime)
        }
        let old = credential(Self.now - 3600)
        #expect(old.authTime == Self.now - 3600)
        #expect(old.isUsable(at: Self.now + 1799))
        #expect(old.uses.map(\.expiry) == [Self.now + 1800 + 120])
        #expect(credential(Self.now + 1).authTime == Self.now)
    }

    @Test func `it uses up itself and its origin, which are remembered for longer than it is usable`() throws {
        let uses = PendingCredentialFixture.full.uses
        let origin = try #require(PendingCredentialFixture.full.origin)
        #expect(uses.count == 2)
        #expect(uses[0].hash.count == 32)
        #expect(uses[1].hash == origin.hash)
        #expect(uses.map(\.expiry) == [Self.now + 1800 + 120, Self.now + 1800 + 120])
        let bare = PendingCredentialFixture.bare
        #expect(bare.uses.map(\.expiry) == [Self.now + 1800 + 120])

        // An origin that is to be remembered for longer still is.
        let later = PendingCredentialFixture.make(origin: TokenUse(hash: origin.hash, expiry: Self.now + 9000))
        #expect(later.uses.map(\.expiry) == [Self.now + 1920, Self.now + 9000])
    }

    @Test func `each has a use of its own, which stays the same when it is sealed again`() throws {
        let (first, second) = (PendingCredentialFixture.make(), PendingCredentialFixture.make())
        #expect(first.random.count == 16)
        #expect(first.uses != second.uses)
        let again = try #require(PendingCredential(encoded: first.encoded))
        #expect(again.uses == first.uses)
        #expect(again.verifiedAt == first.verifiedAt && again.authTime == first.authTime)
        // The hash does not give the random bytes away, and is not the hash of anything else of 16 bytes.
        #expect(first.uses[0].hash != Hash.sha256(first.random))
    }

    @Test func `a native token is one, however its signature is written, and outlives every credential of it`() {
        let use = TokenUse.nativeToken("header.payload.signature", acceptedUntil: Self.now)
        #expect(use.hash.count == 32)
        #expect(use.expiry == Self.now + 1800 + 120)
        #expect(TokenUse.nativeToken("header.payload.other", acceptedUntil: Self.now) == use)
        for text in ["header.payloae.signature", "heades.payload.signature", "header.payload", "header", ""] {
            #expect(TokenUse.nativeToken(text, acceptedUntil: Self.now).hash != use.hash, "\(text)")
        }
        // The last credential was made when the token was accepted for the last time.
        let last = PendingCredentialFixture.make(verifiedAt: Self.now - 1, origin: use)
        #expect(last.uses.allSatisfy { $0.expiry >= last.verifiedAt + 1800 + 120 })
        #expect(last.uses[1] == use)
    }

    @Test func `printing shows nothing of it`() {
        let credential = PendingCredentialFixture.full
        var dumped = ""
        dump(credential, to: &dumped)
        for shown in ["\(credential)", String(reflecting: credential), dumped] {
            #expect(shown.contains("PendingCredential"))
            #expect(shown.utf8.count < 60)
        }
    }
}
