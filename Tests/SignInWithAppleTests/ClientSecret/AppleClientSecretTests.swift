// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithApple
import SignInWithAppleTesting
import Synchronization
import Testing
import TestingSupport

/// The client secret with its lock, its key and its gauge.
@Suite(.onSockets) struct AppleClientSecretTests {
    /// What the gauge was told.
    private final class Reports: Sendable {
        private let reports = Mutex<[String]>([])
        var all: [String] { reports.withLock { $0 } }

        @Sendable func add(_ clientID: String, _ isUsable: Bool) {
            reports.withLock { $0.append("\(clientID) \(isUsable)") }
        }
    }

    @Test(.attack(.appleClientSecret)) func `a thousand parallel asks get one secret`() async throws {
        let source = AppleClientSecret(try Apple.key())
        let secrets = try await withThrowingTaskGroup(of: Secret.self) { group in
            for _ in 0..<1000 {
                group.addTask { try source.clientSecret(forClientID: Apple.servicesID, now: Apple.now) }
            }
            var all: Set<Secret> = []
            for try await secret in group { all.insert(secret) }
            return all
        }
        // ECDSA signatures are random: two signatures would be two secrets.
        #expect(secrets.count == 1)
    }

    @Test(.attack(.appleClientSecret)) func `the JWT is exactly Apple's`() throws {
        let source = AppleClientSecret(try Apple.key())
        let secret = try source.clientSecret(forClientID: Apple.servicesID, now: Apple.now)
        let (header, claims, signature) = try parts(of: secret.exposed)
        #expect(header == ["alg": "ES256", "kid": .string(Apple.keyID)])
        #expect(
            claims == [
                "iss": .string(Apple.teamID), "iat": .number(JSONNumber(Apple.now - 5)),
                "exp": .number(JSONNumber(Apple.now + 600)), "aud": "https://appleid.apple.com",
                "sub": .string(Apple.servicesID),
            ])
        // r and s of 32 bytes each; DER would be 70 to 72 and begin with 0x30.
        #expect(signature.count == 64)
    }

    @Test(.attack(.applePrivateKey))
    func `the key is replaced during other requests, and each still has one`() async throws {
        let old = try Apple.key()
        let new = try Apple.key(keyID: "NEWKEY0001")
        let source = AppleClientSecret(old)
        let keyIDs = try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 0..<400 {
                group.addTask {
                    if number == 200 { source.replaceKey(new) }
                    let secret = try source.clientSecret(forClientID: Apple.servicesID, now: Apple.now)
                    return try parts(of: secret.exposed).header["kid"]?.text?.makeString()
                }
            }
            var all: Set<String?> = []
            for try await keyID in group { all.insert(keyID) }
            return all
        }
        #expect(keyIDs.isSubset(of: [old.keyID, new.keyID]))
        let after = try source.clientSecret(forClientID: Apple.servicesID, now: Apple.now)
        #expect(try parts(of: after.exposed).header["kid"] == "NEWKEY0001")
    }

    @Test func `without a key an ask says what is missing`() {
        let reports = Reports()
        let source = AppleClientSecret(nil, audience: AppleIssuer.issuer, report: reports.add)
        for _ in 0..<2 {
            #expect(throws: AppleKeyError.notConfigured) {
                try source.clientSecret(forClientID: Apple.servicesID, now: Apple.now)
            }
        }
        #expect(reports.all == ["\(Apple.servicesID) false"])
        #expect("\(AppleKeyError.notConfigured)".contains("team id, key id and private key"))
    }

    @Test func `the gauge tells when secrets stop being usable, and when they are again`() throws {
        let reports = Reports()
        let source = AppleClientSecret(try Apple.key(), audience: AppleIssuer.issuer, report: reports.add)
        func ask(_ now: Int64) throws { _ = try source.clientSecret(forClientID: Apple.servicesID, now: now) }
        try ask(Apple.now)
        source.clientSecret(forClientID: Apple.servicesID, wasAccepted: true)
        source.clientSecret(forClientID: Apple.servicesID, wasAccepted: false)
        // A new signature with a key that Apple refuses changes nothing.
        try ask(Apple.now + 300)
        source.clientSecret(forClientID: Apple.servicesID, wasAccepted: false)
        source.clientSecret(forClientID: Apple.bundleID, wasAccepted: false)
        source.replaceKey(try Apple.key())
        try ask(Apple.now + 301)
        #expect(
            reports.all == [
                "\(Apple.servicesID) true", "\(Apple.servicesID) false", "\(Apple.bundleID) false",
                "\(Apple.servicesID) true",
            ])
    }

    @Test(.attack(.secretsInLogs)) func `neither key nor secret is printed`() throws {
        let developerKey = MockApple.DeveloperKey.make(teamID: Apple.teamID)
        let key = try developerKey.appleKey()
        let source = AppleClientSecret(key)
        let secret = try source.clientSecret(forClientID: Apple.servicesID, now: Apple.now)
        var text = ""
        dump(key, to: &text)
        dump(source, to: &text)
        dump(secret, to: &text)
        text += "\(key) \(key.debugDescription) \(source) \(secret)"
        for line in developerKey.privateKey.exposed.split(separator: "\n") where !line.hasPrefix("-----") {
            #expect(!text.contains(line))
        }
        #expect(!text.contains(secret.exposed))
        #expect(!text.contains(secret.exposed.suffix(20)))
    }
}
