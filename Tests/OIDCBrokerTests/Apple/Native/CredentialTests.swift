// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithApple
import SignInWithAppleTesting
import SingleUse
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// The credentials of an iOS app.
@Suite struct CredentialTests {
    private static let user = #"{"name":{"firstName":"Ada","lastName":"Example"}}"#

    private func expectRefusal(
        _ response: BrokerResponse, _ error: String, status: Int = 400,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(response.status == status, "\(response.text)", sourceLocation: sourceLocation)
        let json = try response.json()
        #expect(json["error"]?.text?.makeString() == error, "\(response.text)", sourceLocation: sourceLocation)
        #expect(json["id_token"] == nil, sourceLocation: sourceLocation)
        #expect(response.head.headerFields[.cacheControl] == "no-store", sourceLocation: sourceLocation)
    }

    @Test(.attack(.appleAudienceSwap, .foreignAppleRevocation))
    func `a native credential becomes what the token endpoint gives`() throws {
        let setup = try AppleSetup { $0.apps[0].upstreamTokens = true }
        let credential = try setup.apple.credential()
        let response = try setup.post("credential", setup.credentialForm(credential, user: Self.user))
        #expect(response.status == 200, "\(response.text)")
        #expect(response.head.headerFields[.cacheControl] == "no-store")
        let issued = try response.json()
        #expect(issued["token_type"]?.text?.makeString() == "Bearer")
        #expect(issued["expires_in"]?.integerValue == 3600)
        let token = try #require(issued["access_token"]?.text?.makeString())
        let userInfo = try setup.installation.get("/__/auth/userinfo", fields: [.authorization: "Bearer \(token)"])
        #expect(try userInfo.json()["email"] == (try setup.claims(of: issued))["email"])
        #expect(issued["scope"]?.text?.makeString() == "openid profile email")
        #expect(issued["user"]?.objectValue?["name"]?.text?.makeString() == "Ada Example")
        let claims = try setup.claims(of: issued)
        #expect(claims["iss"]?.text?.makeString() == Installation.issuer)
        #expect(claims["aud"]?.text?.makeString() == "shop")
        #expect(claims["provider"]?.text?.makeString() == "apple.com")
        #expect(claims["email"]?.text?.makeString() == "ada@example.com")
        #expect(claims["nonce"] == nil)
        let upstream = try #require(issued["upstream"]?.objectValue)
        #expect(upstream["refresh_token"]?.text?.makeString() != nil)
        #expect(upstream["raw_nonce"]?.text?.makeString() == "raw-nonce-of-the-app")
        // With the bundle id, and without redirect URI and verifier, which no such code was bound to.
        let exchange = try #require(setup.apple.forms("/auth/token").first)
        #expect(exchange["client_id"] == StubApple.bundleID)
        #expect(Set(exchange.names) == ["grant_type", "code", "client_id", "client_secret"])
        #expect(setup.installation.log.outcomes == ["signed_in"])
    }

    @Test func `the user is the same by the web and by an app of the same team`() throws {
        let setup = try AppleSetup()
        let web = try setup.claims(of: try setup.signIn())["sub"]?.text?.makeString()
        let form = setup.credentialForm(try setup.apple.credential())
        let native = try setup.claims(of: try setup.post("credential", form).json())["sub"]?.text?.makeString()
        #expect(web != nil)
        #expect(web == native)
    }

    @Test func `without a code nothing is exchanged, and there are no tokens of Apple's`() throws {
        let setup = try AppleSetup { $0.apps[0].upstreamTokens = true }
        let form = setup.credentialForm(try setup.apple.credential(), hasCode: false)
        let issued = try setup.post("credential", form).json()
        let upstream = try #require(issued["upstream"]?.objectValue)
        #expect(upstream["refresh_token"] == nil)
        #expect(setup.apple.paths == ["/.well-known/openid-configuration", "/auth/keys"])
    }

    @Test(.attack(.appleAudienceSwap)) func `only one's own bundle ids, and never the Services ID`() throws {
        let setup = try AppleSetup()
        for audience in [StubApple.otherBundleID, StubApple.servicesID, "com.somebody.else", ""] {
            let form = setup.credentialForm(try setup.apple.credential(audience), hasCode: false)
            try expectRefusal(try setup.post("credential", form), "invalid_grant")
        }
        for audience: JSONValue in [
            [.string(StubApple.bundleID), .string(StubApple.servicesID)], [], 7, .null,
        ] {
            let credential = try setup.apple.credential(changes: ["aud": audience])
            try expectRefusal(
                try setup.post("credential", setup.credentialForm(credential, hasCode: false)), "invalid_grant")
        }
        // A web token, as the browser brings it.
        var browser = Browser(setup.installation)
        let fields = try setup.authenticate(&browser)
        let idToken = try #require(fields.first { $0.0 == "id_token" }?.1)
        try expectRefusal(
            try setup.post("credential", setup.credentialForm((idToken, ""), hasCode: false)),
            "invalid_grant")
        #expect(setup.apple.forms("/auth/token").isEmpty)
        // The other app's own is its own.
        let other = setup.credentialForm(try setup.apple.credential(StubApple.otherBundleID))
            .filter { $0.0 != "client_id" }
        #expect(try setup.post("credential", other + AppleSetup.confidential).status == 200)
    }

    @Test(.attack(.degenerateECDSASignature))
    func `each token once, also with its signature written otherwise`() throws {
        let setup = try AppleSetup()
        let credential = try setup.apple.credential()
        let form = setup.credentialForm(credential, hasCode: false)
        #expect(try setup.post("credential", form).status == 200)
        try expectRefusal(try setup.post("credential", form), "invalid_grant")
        // r and n - s are as valid a signature as r and s.
        let variant = try #require(Self.otherSignature(of: credential.idToken))
        #expect(variant != credential.idToken)
        try expectRefusal(
            try setup.post("credential", setup.credentialForm((variant, ""), hasCode: false)), "invalid_grant")
        #expect(setup.installation.log.outcomes == ["signed_in", "repeated_credential"])
        // It is remembered as long as the token could be taken.
        setup.installation.clock.advance(by: 359)
        try expectRefusal(try setup.post("credential", form), "invalid_grant")
        #expect(setup.installation.log.outcomes == ["signed_in", "repeated_credential", "repeated_credential"])
        #expect(setup.installation.log.lines.last?.metadata["auth.repeated"] == "1")
    }

    /// The same token with n - s in the place of s (RFC 7518 section 3.4, order of P-256).
    private static func otherSignature(of token: String) -> String? {
        let order: [UInt8] = [
            0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD,
            0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
        ]
        let segments = token.split(separator: ".").map(String.init)
        guard segments.count == 3, let signature = Base64URL.decode(segments[2]), signature.count == 64 else {
            return nil
        }
        var difference = [UInt8](repeating: 0, count: 32)
        var borrow = 0
        for index in (0..<32).reversed() {
            let value = Int(order[index]) - Int(signature[32 + index]) - borrow
            borrow = value < 0 ? 1 : 0
            difference[index] = UInt8(truncatingIfNeeded: value)
        }
        return segments[0] + "." + segments[1] + "." + Base64URL.encode(Array(signature[..<32]) + difference)
    }

    @Test(arguments: [(359, true), (360, true), (361, false)] as [(Int64, Bool)])
    func `a token is five minutes old at most, beyond the clock skew`(age: Int64, isTaken: Bool) throws {
        let setup = try AppleSetup()
        let credential = try setup.apple.credential()
        setup.installation.clock.advance(by: age)
        let response = try setup.post("credential", setup.credentialForm(credential, hasCode: false))
        #expect((response.status == 200) == isTaken, "\(response.text)")
    }

    @Test(arguments: ["iss", "exp", "sub"])
    func `a token that lies is refused`(name: String) throws {
        let setup = try AppleSetup()
        let changes: JSONObject = [name: name == "exp" ? 1 : name == "iss" ? "https://apple.example" : .null]
        let credential = try setup.apple.credential(changes: changes)
        try expectRefusal(
            try setup.post("credential", setup.credentialForm(credential, hasCode: false)), "invalid_grant")
    }

    @Test func `a signature that is not Apple's is refused, and remembered nowhere`() throws {
        let setup = try AppleSetup(store: InMemorySingleUseStore(capacity: 1))
        setup.apple.behave(.wrongSignature)
        for _ in 0..<3 {
            let form = setup.credentialForm(try setup.apple.credential(), hasCode: false)
            try expectRefusal(try setup.post("credential", form), "invalid_grant")
        }
        setup.apple.behave(.none)
        let form = setup.credentialForm(try setup.apple.credential(), hasCode: false)
        #expect(try setup.post("credential", form).status == 200)
        // Now the store is full.
        let next = setup.credentialForm(try setup.apple.credential(), hasCode: false)
        try expectRefusal(try setup.post("credential", next), "temporarily_unavailable", status: 503)
        #expect(setup.installation.log.outcomes.last == "store_unavailable")
    }

    @Test func `c_hash binds the code: another's is refused before it is sent`() throws {
        let setup = try AppleSetup()
        let mine = try setup.apple.credential()
        let other = try setup.apple.credential()
        try expectRefusal(
            try setup.post("credential", setup.credentialForm((mine.idToken, other.code))), "invalid_grant")
        #expect(setup.apple.forms("/auth/token").isEmpty)
    }

    @Test func `a code that fails burns the credential; nothing is sent twice, and the name is kept`() throws {
        let setup = try AppleSetup()
        setup.apple.behave(.tokenEndpointUnavailable)
        let form = setup.credentialForm(try setup.apple.credential(), user: Self.user)
        try expectRefusal(try setup.post("credential", form), "temporarily_unavailable", status: 503)
        #expect(setup.installation.log.outcomes == ["provider_unavailable"])
        setup.apple.behave(.none)
        try expectRefusal(try setup.post("credential", form), "invalid_grant")
        #expect(setup.apple.forms("/auth/token").count == 1)
        let again = setup.credentialForm(try setup.apple.credential())
        let issued = try setup.post("credential", again).json()
        #expect(issued["user"]?.objectValue?["name"]?.text?.makeString() == "Ada Example")
        setup.installation.clock.advance(by: 1)
        let third = setup.credentialForm(try setup.apple.credential())
        #expect(try setup.post("credential", third).json()["user"] == nil)
    }

    @Test func `a key that Apple does not accept is the broker's fault, not the app's`() throws {
        let setup = try AppleSetup()
        setup.apple.behave(.refusesClientSecrets)
        let form = setup.credentialForm(try setup.apple.credential())
        try expectRefusal(try setup.post("credential", form), "server_error", status: 500)
        #expect(setup.installation.log.outcomes == ["failed_token"])
    }

    @Test func `Apple out of reach is temporary`() throws {
        let setup = try AppleSetup()
        let form = setup.credentialForm(try setup.apple.credential())
        setup.apple.goDown()
        try expectRefusal(try setup.post("credential", form), "temporarily_unavailable", status: 503)
    }

    @Test func `without a key a code cannot be exchanged, and the response says why`() throws {
        let setup = try AppleSetup {
            $0.providers[0].configuration.clientID = ""
            $0.providers[0].apple?.teamID = nil
            $0.providers[0].apple?.keyID = nil
            $0.providers[0].apple?.privateKey = nil
        }
        let credential = try setup.apple.credential()
        let response = try setup.post("credential", setup.credentialForm(credential))
        try expectRefusal(response, "invalid_request")
        #expect(response.text.contains("team-id, key-id and private-key"))
        // The ID token alone is verified all the same.
        #expect(try setup.post("credential", setup.credentialForm(credential, hasCode: false)).status == 200)
        #expect(setup.apple.forms("/auth/token").isEmpty)
    }
}
