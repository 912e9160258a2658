// SPDX-License-Identifier: Apache-2.0

import JOSE
import JWTKit
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithApple
import SignInWithAppleTesting
import Testing
import TestingSupport

/// jwt-kit as the independent other side: our code on both sides would hide an error made twice.
@Suite(.onSockets) struct ClientSecretOracleTests {
    struct Payload: JWTPayload, Equatable {
        var iss: String
        var iat: Int
        var exp: Int
        var aud: String
        var sub: String

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    @Test(.attack(.appleClientSecret))
    func `jwt-kit verifies the client secret with the key of the .p8 file`() async throws {
        let developerKey = MockApple.DeveloperKey.make(teamID: Apple.teamID)
        let source = AppleClientSecret(try developerKey.appleKey())
        let secret = try source.clientSecret(forClientID: Apple.servicesID, now: Apple.now).exposed
        let pem = developerKey.privateKey.exposed
        let collection = JWTKeyCollection()
        await collection.add(
            ecdsa: try ES256PrivateKey(pem: pem).publicKey, kid: JWKIdentifier(string: developerKey.keyID))
        let payload = try await collection.verify(secret, as: Payload.self)
        #expect(
            payload
                == Payload(
                    iss: Apple.teamID, iat: Int(Apple.now - 5), exp: Int(Apple.now + 600),
                    aud: "https://appleid.apple.com", sub: Apple.servicesID))
        // The oracle tells good from bad at all.
        let stranger = JWTKeyCollection()
        await stranger.add(
            ecdsa: ES256PrivateKey().publicKey, kid: JWKIdentifier(string: developerKey.keyID))
        await #expect(throws: JWTError.self) { try await stranger.verify(secret, as: Payload.self) }
    }

    @Test(.attack(.appleClientSecret))
    func `the mock Apple accepts a client secret that jwt-kit signed`() async throws {
        let developerKey = MockApple.DeveloperKey.make(teamID: Apple.teamID)
        try await AppleSession.run(AppleSetting(developerKey: developerKey)) { session in
            let collection = JWTKeyCollection()
            await collection.add(
                ecdsa: try ES256PrivateKey(pem: developerKey.privateKey.exposed),
                kid: JWKIdentifier(string: developerKey.keyID))
            let secret = try await collection.sign(
                Payload(
                    iss: Apple.teamID, iat: Int(Apple.now), exp: Int(Apple.now + 600), aud: session.apple.issuer,
                    sub: Apple.servicesID), kid: JWKIdentifier(string: developerKey.keyID))
            let status = try await session.post(
                "/auth/revoke", [("client_id", Apple.servicesID), ("client_secret", secret), ("token", "unknown")]
            ).status
            #expect(status == 200)
            #expect(session.apple.clientSecretRefusals() == [])
        }
    }
}
