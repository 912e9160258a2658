// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBroker
import OpenIDConnect
import SingleUse
import Testing

@testable import IdentityToolkit
@testable import OIDCBrokerState

/// A ticket, its record, and the bytes of both.
struct SignInTicketTests {
    /// 32 bytes of the value 5.
    private static let text = "BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU"

    private static let record = SignInTicketRecord(
        app: "web", authType: .linkViaPopup,
        binding: SessionBinding(bytes: [UInt8](repeating: 4, count: 32)) ?? SessionBinding(sessionID: ""),
        credential: PendingCredential(
            VerifiedIdentity(
                IdentityKey(issuer: "https://login.acme.example", subject: "ada"), providerID: "oidc.acme"),
            claims: ["sub": "ada"], idToken: "a.b.c", accessToken: "t", accessTokenExpiry: 1_790_003_600,
            verifiedAt: 1_790_000_000, authTime: 1_789_999_990, random: [UInt8](repeating: 6, count: 16)))

    private static let encoded =
        "\u{1}"
        + #"{"app":"web","type":"linkViaPopup","binding":"BAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ","credential":{"#
        + #""iss":"https://login.acme.example","sub":"ada","provider":"oidc.acme","proved":false,"relay":false,"#
        + #""claims":{"sub":"ada"},"id_token":"a.b.c","at":1790000000,"auth_time":1789999990,"#
        + #""random":"BgYGBgYGBgYGBgYGBgYGBg","access_token":"t","access_token_exp":1790003600}}"#

    /// The record above, sealed under the ticket above by another implementation of AES-256-GCM.
    private static let sealed =
        "AQcHBwcHBwcHBwcHBxER-9bh7pJn5uUt6xJ5koJcq0XZFCER5GbPDLp2PIGTQRrTTKTc_71VPyI7vBM-kgP4hF5YRM5ECnqtuRj6ujpMztF9"
        + "XCEmNd_LoR3UdmyNKZx28mCycRWCn3YxNKgNyK-KzH9rjY41OWFcX05wmfn0s2cOdSJH7IxVvDW2rtocoph31QlKAc2K7pe_dC2nguk9rk6W"
        + "BfpM-gcdJKK7MyVgssBI8F68ug7t4xM4QsufszlaXepGPc1kDc9I2AaIoXLAMs1Hxz_jEBKxh4aeEzdaaZJxh7cqQkNeto_YrUwHZYPOxBFz"
        + "58U33wx5YklBJys9znJtyw5XHWRj3L7hkWLXcHSit7sv1iiEA6ecJZZyneLHAgo9GKKHZMCgsJ8eVh1G2K2EaIqB_5tj2MsTBusD_GaHDcyD"
        + "raMjNb6sWL1n9E3iB0mP5fCdVkjmOkgbaWllDZ17xgN4h0X9T0bmP-6XEwdf5i3MJ1qZv04hUj5VmTznzhQrZWNNh16CB3M6HRAu"

    private func expectSame(_ left: SignInTicketRecord?, _ right: SignInTicketRecord) throws {
        let left = try #require(left)
        #expect(left.app == right.app)
        #expect(left.authType == right.authType)
        #expect(left.binding == right.binding)
        try PendingCredentialFixture.expectSame(left.credential, right.credential)
    }

    @Test func `a record is the same in every version`() throws {
        #expect(String(validating: Self.record.encoded, as: UTF8.self) == Self.encoded)
        try expectSame(SignInTicketRecord(encoded: Array(Self.encoded.utf8)), Self.record)
    }

    @Test func `what another implementation sealed is opened`() throws {
        let ticket = try #require(SignInTicket(WireText(Self.text)))
        #expect(ticket.text == Self.text)
        try expectSame(ticket.open(try #require(Base64URL.decode(Self.sealed))), Self.record)
    }

    @Test func `a record of another format, or without a part, is none`() throws {
        #expect(SignInTicketRecord(encoded: []) == nil)
        var encoded = Self.record.encoded
        for format in [0, 2, 255] as [UInt8] {
            encoded[0] = format
            #expect(SignInTicketRecord(encoded: encoded) == nil)
        }
        let whole = try #require(JSONObjectText(bytes: Array(Self.record.encoded.dropFirst()))?.object)
        for member in whole.members {
            var object = whole
            object[member.name] = nil
            #expect(SignInTicketRecord(encoded: [1] + object.serialized()) == nil)
            object[member.name] = .string("x")
            // An app may have any name.
            let isApp = member.name.hasSameBytes(as: "app")
            #expect((SignInTicketRecord(encoded: [1] + object.serialized()) != nil) == isApp)
        }
    }

    @Test func `each authType and every part of a credential come back`() throws {
        for authType in AuthType.allCases {
            let ticket = SignInTicket()
            let record = SignInTicketRecord(
                app: "phone", authType: authType, binding: SessionBinding(sessionID: "x"),
                credential: PendingCredentialFixture.full)
            let sealed = try #require(ticket.seal(record))
            #expect(sealed.first == 1)
            try expectSame(ticket.open(sealed), record)
            #expect(SignInTicket().open(sealed) == nil)
        }
    }

    @Test func `a ticket is 256 bits, each another one, and its key is for this purpose`() throws {
        let (one, other) = (SignInTicket(), SignInTicket())
        #expect(one.text.utf8.count == 43)
        #expect(one.text != other.text && one.key != other.key)
        let bytes = try #require(Base64URL.decode(one.text))
        #expect(one.key == SingleUseKey(.signInTicket, bytes))
        for purpose in [.handOff, .heldHandOff, .login] as [SingleUseKey.Purpose] {
            #expect(one.key != SingleUseKey(purpose, bytes))
        }
        #expect(SignInTicket(WireText(one.text))?.key == one.key)
    }

    /// Texts that are nearly the ticket: too short or too long, with unused bits that are set, with other characters.
    private static let malformed: [String] = {
        let short = String(text.dropLast())
        let shorter = String(text.dropLast(2))
        return ["", "BQUF", short, "\(text)A", "\(short)V", "\(shorter)=U", "\(shorter)/U", "\(shorter)\u{E9}"]
    }()

    @Test(arguments: malformed) func `a text of another form is no ticket`(text: String) {
        #expect(SignInTicket(WireText(text)) == nil)
    }

    @Test func `a ticket has a URL, and is read from it`() throws {
        let ticket = SignInTicket()
        let text = ticket.url(at: "https://auth.example.com/__/auth/handler")
        #expect(text == "https://auth.example.com/__/auth/handler?ticket=\(ticket.text)")
        #expect(SignInTicket(of: try #require(AbsoluteURL(text)))?.key == ticket.key)
        for other in ["https://a.example/", "https://a.example/?ticket=", "https://a.example/?Ticket=\(ticket.text)"] {
            #expect(SignInTicket(of: try #require(AbsoluteURL(other))) == nil)
        }
        #expect(SignInTicket(of: try #require(AbsoluteURL(text + "&ticket=\(ticket.text)"))) == nil)
        #expect(SignInTicket(of: try #require(AbsoluteURL(text + "&x=%zz"))) == nil)
    }

    @Test func `a profile that no store takes is left out, and an ID token that none takes has no ticket`() throws {
        func record(profile: Int, idToken: Int) -> SignInTicketRecord {
            SignInTicketRecord(
                app: "web", authType: .signInViaPopup, binding: SessionBinding(sessionID: "x"),
                credential: PendingCredentialFixture.make(
                    claims: ["sub": "001.ada", "bio": .string(String(repeating: "a", count: profile))],
                    idToken: String(repeating: "t", count: idToken)))
        }
        let ticket = SignInTicket()
        let short = try #require(ticket.seal(record(profile: 1000, idToken: 1000)))
        #expect(ticket.open(short)?.credential.claims["bio"] != nil)
        let long = try #require(ticket.seal(record(profile: SingleUseKey.longestValue, idToken: 1000)))
        #expect(long.count <= SingleUseKey.longestValue)
        #expect(ticket.open(long)?.credential.claims == ["sub": "001.ada"])
        #expect(ticket.seal(record(profile: 0, idToken: SingleUseKey.longestValue)) == nil)
    }

    @Test func `printing shows nothing of either`() {
        let ticket = SignInTicket()
        var dumped = ""
        dump(ticket, to: &dumped)
        dump(Self.record, to: &dumped)
        for shown in ["\(ticket)", "\(Self.record)", String(reflecting: ticket), dumped] {
            #expect(!shown.contains(ticket.text))
            #expect(!shown.contains("a.b.c"))
            #expect(shown.utf8.count < 60)
        }
    }
}
