// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import JOSE
import JWTKit
import OpenIDConnect
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerPages

/// The broker's ID token.
struct IDTokenTests {
    /// What an app sees, read by jwt-kit.
    private struct Payload: JWTPayload {
        var iss: String
        var sub: String
        var aud: String
        var exp: Int64
        var iat: Int64
        var nonce: String?
        var atHash: String
        var authTime: Int64?
        var upstreamIssuer: String
        var upstreamSubject: String
        var provider: String
        var email: String?
        var emailVerified: Bool?
        var name: String?
        var picture: String?

        enum CodingKeys: String, CodingKey {
            case iss, sub, aud, exp, iat, nonce, provider, email, name, picture
            case atHash = "at_hash"
            case authTime = "auth_time"
            case upstreamIssuer = "upstream_iss"
            case upstreamSubject = "upstream_sub"
            case emailVerified = "email_verified"
        }

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    /// The tokens of a whole sign-in, and the broker's key set. Not async: the event loop stays on its thread.
    private static func tokens(
        _ app: AppClient, claims: JSONObject = [:], configure: (inout BrokerConfiguration) throws -> Void = { _ in }
    ) throws -> (response: JSONObject, keySet: String, installation: Installation, nonce: String?) {
        let installation = try Installation(configure: configure)
        installation.provider.behave { $0.claims = claims }
        var browser = Browser(installation)
        let request = try browser.start(app)
        let location = try Location(try browser.bring(installation.provider.signIn(request)))
        let response = try installation.redeem(try #require(location["code"]), app)
        #expect(response.status == 200)
        return (try response.json(), try installation.get("/__/auth/jwks").text, installation, request["nonce"])
    }

    private static func claims(of response: JSONObject, keySet: String) throws -> JSONObject {
        let token = try #require(response["id_token"]?.text?.makeString())
        let keys = try KeySet(json: Array(keySet.utf8))
        return try JSONWebSignature(compact: token).verified(by: keys, algorithms: [.es256]).claims
    }

    /// The text that a test hands over to where it may wait.
    private static func texts(_ app: AppClient) throws -> (idToken: String, accessToken: String, keySet: String) {
        let (response, keySet, _, _) = try tokens(app)
        return (
            try #require(response["id_token"]?.text?.makeString()),
            try #require(response["access_token"]?.text?.makeString()), keySet
        )
    }

    @Test func `is verified by jwt-kit with the published key set, and says what it should`() async throws {
        let (idToken, accessToken, keySet) = try Self.texts(.shop)
        let collection = JWTKeyCollection()
        try await collection.add(jwksJSON: keySet)
        let payload = try await collection.verify(idToken, as: Payload.self)
        #expect(payload.iss == "https://auth.example.com/__/auth")
        #expect(payload.aud == "shop")
        #expect(payload.iat == 1_799_999_995)
        #expect(payload.exp == 1_800_003_600)
        #expect(payload.nonce == "nonce-of-the-app")
        #expect(payload.authTime == 1_799_999_995)
        #expect(payload.upstreamIssuer == "https://login.acme.example")
        #expect(payload.upstreamSubject == TestProvider.subject)
        #expect(payload.provider == "oidc.acme")
        #expect(payload.email == "ada@people.example")
        #expect(payload.emailVerified == true)
        #expect(payload.name == "Ada Lovelace")
        #expect(payload.picture == "https://people.example/ada.png")
        let hash = Array(SHA256.hash(data: Data(accessToken.utf8)))
        #expect(payload.atHash == ProofKey.base64url(Array(hash[..<16])))
        // The `sub` (see ``SubjectIdentifier``), computed independently: lengths are two bytes, the most significant
        // one first.
        var bytes = Array("oidc-broker sub v1".utf8)
        for text in ["https://login.acme.example", TestProvider.subject] {
            bytes += [UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 255)] + Array(text.utf8)
        }
        #expect(payload.sub == ProofKey.base64url(Array(SHA256.hash(data: Data(bytes)))))
        // The oracle distinguishes valid from invalid tokens.
        let forged = idToken.dropLast(8) + "AAAAAAAA"
        await #expect(throws: (any Error).self) {
            try await collection.verify(String(forged), as: Payload.self)
        }
    }

    @Test func `is ES256 of the key in the key set, with its kid and typ`() throws {
        let (response, keySet, _, _) = try Self.tokens(.shop)
        let token = try #require(response["id_token"]?.text?.makeString())
        let text = try #require(Base64URL.decode(String(token.prefix { $0 != "." })))
        let header = try JSONParser.object(text, limits: JSONLimits(maximumBytes: 1000))
        let key = try SigningKey(pem: Installation.signingKey)
        #expect(header["alg"]?.text?.makeString() == "ES256")
        #expect(header["kid"]?.text?.makeString() == key.keyID)
        #expect(header["typ"]?.text?.makeString() == "JWT")
        #expect(header.count == 3)
        #expect(keySet.contains(key.keyID))
    }

    @Test func `says the time of authentication in whole seconds where the provider sends a fraction`() throws {
        let time: JSONValue = .number(try #require(JSONNumber(text: "1799999990.75")))
        let (response, keySet, _, _) = try Self.tokens(.shop, claims: ["auth_time": time])
        let claims = try Self.claims(of: response, keySet: keySet)
        #expect(claims["auth_time"] == 1_799_999_990)
        // An app that is allowed the provider's claims gets them as they are.
        let (other, _, _, _) = try Self.tokens(.back, claims: ["auth_time": time])
        let upstream = try #require(other["upstream"]?.objectValue?["claims"]?.objectValue)
        #expect(upstream["auth_time"] == time)
    }

    @Test(
        arguments: [
            ([], nil), (nil, nil), ("", nil), ("pwd", nil), (["pwd", 1], nil), (["pwd", "otp"], ["pwd", "otp"]),
        ] as [(JSONValue?, JSONValue?)])
    func `hands amr on where it is a list of texts, and a blank one is absent`(
        sent: JSONValue?, expected: JSONValue?
    ) throws {
        let (response, keySet, _, _) = try Self.tokens(.shop, claims: ["amr": sent ?? .null])
        #expect(try Self.claims(of: response, keySet: keySet)["amr"] == expected)
    }

    @Test func `holds these claims and no others`() throws {
        let (response, keySet, _, _) = try Self.tokens(.shop, claims: ["groups": ["admin"], "birthdate": "1815-12-10"])
        let claims = try Self.claims(of: response, keySet: keySet)
        #expect(
            Set(claims.members.map { $0.name.makeString() }) == [
                "iss", "sub", "aud", "exp", "iat", "nonce", "auth_time", "at_hash", "upstream_iss", "upstream_sub",
                "provider", "email", "email_verified", "name", "picture",
            ])
    }

    @Test func `has the app's nonce or none; the provider's stands nowhere`() throws {
        let (response, keySet, _, providerNonce) = try Self.tokens(.shop)
        let upstream = try #require(providerNonce)
        let claims = try Self.claims(of: response, keySet: keySet)
        #expect(claims["nonce"]?.text?.makeString() == "nonce-of-the-app")
        #expect(!String(decoding: claims.serialized(), as: UTF8.self).contains(upstream))
        var app = AppClient.shop
        app.nonce = nil
        let (other, otherKeys, _, _) = try Self.tokens(app)
        #expect(try Self.claims(of: other, keySet: otherKeys)["nonce"] == nil)
    }

    @Test func `email_verified is true only where the same token said so`() throws {
        let cases: [(JSONObject, Bool?)] = [
            (["email_verified": true], true), (["email_verified": "true"], true), (["email_verified": false], false),
            (["email_verified": "false"], false), (["email_verified": .null], false), (["email_verified": 1], false),
            (["email_verified": "TRUE"], false), (["email_verified": ["true"]], false),
            (["email": .null, "email_verified": true], nil), (["email": 5, "email_verified": true], nil),
        ]
        for (change, expected) in cases {
            let (response, keySet, _, _) = try Self.tokens(.shop, claims: change)
            let claims = try Self.claims(of: response, keySet: keySet)
            #expect(claims["email_verified"]?.boolValue == expected, "\(change)")
            #expect((claims["email"] == nil) == (expected == nil))
        }
    }

    @Test func `the subject is of issuer and subject, not of the provider's name or id`() throws {
        let (first, firstKeys, _, _) = try Self.tokens(.shop)
        let (renamed, renamedKeys, _, _) = try Self.tokens(.shop) {
            $0.providers[0].name = "other"
            $0.providers[0].id = "another.id"
        }
        let (other, otherKeys, _, _) = try Self.tokens(.shop, claims: ["sub": "grace"])
        let subject = try Self.claims(of: first, keySet: firstKeys)["sub"]
        #expect(try Self.claims(of: renamed, keySet: renamedKeys)["sub"] == subject)
        #expect(try Self.claims(of: renamed, keySet: renamedKeys)["provider"]?.text?.makeString() == "another.id")
        #expect(try Self.claims(of: other, keySet: otherKeys)["sub"] != subject)
    }

    @Test func `upstream is handed to an app that is allowed it, and to no other`() throws {
        let (withheld, _, _, _) = try Self.tokens(.shop)
        #expect(withheld["upstream"] == nil)
        let (response, _, installation, nonce) = try Self.tokens(.back)
        let upstream = try #require(response["upstream"]?.objectValue)
        #expect(
            upstream.members.map { $0.name.makeString() } == [
                "provider", "claims", "id_token", "access_token", "refresh_token", "expires_in", "raw_nonce",
            ])
        #expect(upstream["provider"]?.text?.makeString() == "oidc.acme")
        let claims = try #require(upstream["claims"]?.objectValue)
        #expect(claims["sub"]?.text?.makeString() == TestProvider.subject)
        #expect(claims["iss"]?.text?.makeString() == "https://login.acme.example")
        #expect(claims["nonce"]?.text?.makeString() == nonce)
        #expect(upstream["raw_nonce"]?.text?.makeString() == nonce)
        #expect(upstream["expires_in"]?.integerValue == 3600)
        let issued = installation.provider.issuedSecrets
        for name in ["id_token", "access_token", "refresh_token"] {
            let token = try #require(upstream[name]?.text?.makeString())
            #expect(issued.contains(token))
        }
        #expect(response["access_token"] != upstream["access_token"])
    }

    @Test func `the access token is sealed, and new with every redemption`() throws {
        var tokens: Set<String> = []
        for _ in 0..<3 {
            let token = try #require(try Self.tokens(.shop).response["access_token"]?.text?.makeString())
            let prefix = IssuedTokenPrefix.accessToken
            #expect(token.hasPrefix(prefix))
            let bytes = try #require(Base64URL.decode(String(token.dropFirst(prefix.count))))
            #expect(!String(decoding: bytes, as: UTF8.self).contains("sub"))
            tokens.insert(token)
        }
        #expect(tokens.count == 3)
    }
}
