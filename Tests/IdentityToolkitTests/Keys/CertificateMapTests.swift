// SPDX-License-Identifier: Apache-2.0

import Accounts
import Crypto
import Foundation
import JOSE
import JWTKit
import OIDCBrokerTesting
import Signing
import SwiftASN1
import Testing
import X509

@testable import IdentityToolkit

/// The published certificates, as verifiers read them that know nothing of accounts.
struct CertificateMapTests {
    private struct Claims: JWTPayload {
        let sub: SubjectClaim

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    private static let now: Int64 = 1_790_000_000

    private static func elliptic() -> String { P256.Signing.PrivateKey().pemRepresentation + "\n" }

    private static func rsa() throws -> String { try SharedRSAKeys.pem(1) + "\n" }

    /// The name and the text of each certificate, in the order of the map.
    private func certificates(_ keys: SigningKeys) throws -> [(keyID: String, pem: String)] {
        let map = try CertificateMap(keys)
        let object = try JSONParser.object(map.json, limits: JSONLimits(maximumBytes: 1 << 20))
        var certificates: [(keyID: String, pem: String)] = []
        for member in object.members {
            let pem = try #require(member.value.text)
            certificates.append((keyID: member.name.makeString(), pem: pem.makeString()))
        }
        return certificates
    }

    private func token(_ keys: SigningKeys) throws -> String {
        let tokens = try #require(
            AccountTokens(projectID: "shop-test", issuer: "https://auth.example/__/auth/accounts", keys: keys))
        let account = Account(id: try #require(AccountID("ada-account")), createdAt: Self.now)
        let verified = VerifiedIdentity(
            IdentityKey(issuer: "https://accounts.google.com", subject: "108"), providerID: "google.com")
        let session = AccountSession(
            id: AccountSession.ID(), secretHash: [UInt8](repeating: 1, count: 32), account: account.id,
            providerID: "google.com", app: nil, authTime: Self.now, createdAt: Self.now, expiry: Self.now + 86_400)
        return try tokens.sign(
            account, identities: [AccountIdentity(verified, of: account.id, at: Self.now)], session: session,
            now: Self.now)
    }

    private func verify(_ token: String, with pem: String, named keyID: String, isRSA: Bool) async throws -> Claims {
        let collection = JWTKeyCollection()
        let kid = JWKIdentifier(string: keyID)
        if isRSA {
            let key = try JWTKit.Insecure.RSA.PublicKey(certificatePEM: pem)
            await collection.add(rsa: key, digestAlgorithm: .sha256, kid: kid)
        } else {
            await collection.add(ecdsa: try ES256PublicKey(certificate: pem), kid: kid)
        }
        return try await collection.verify(token, as: Claims.self)
    }

    @Test(arguments: [false, true])
    func `a verifier takes the public key out of a certificate and verifies a token`(isRSA: Bool) async throws {
        let (elliptic, rsa) = (Self.elliptic(), try Self.rsa())
        let keys = try SigningKeys(pem: isRSA ? rsa + elliptic : elliptic + rsa)
        let token = try token(keys)
        let newest = try #require(try certificates(keys).first)
        let claims = try await verify(token, with: newest.pem, named: newest.keyID, isRSA: isRSA)
        #expect(claims.sub.value == "ada-account")

        var cut = token
        cut.removeLast(4)
        let altered = cut
        await #expect(throws: (any Error).self) {
            try await verify(altered, with: newest.pem, named: newest.keyID, isRSA: isRSA)
        }
        let other = try #require(
            try certificates(SigningKeys(pem: isRSA ? SharedRSAKeys.pem(2) : Self.elliptic())).first)
        await #expect(throws: (any Error).self) {
            try await verify(token, with: other.pem, named: newest.keyID, isRSA: isRSA)
        }
    }

    @Test func `each key has a certificate under its identifier, the newest first`() throws {
        let keys = try SigningKeys(pem: Self.elliptic() + Self.rsa() + Self.elliptic())
        let published = try certificates(keys)
        #expect(published.map(\.keyID) == keys.all.map(\.keyID))
        for (certificate, key) in zip(published, keys.all) {
            let parsed = try Certificate(pemEncoded: certificate.pem)
            let expected = try CertificateKey(key).publicKey
            #expect(parsed.publicKey == expected)
            #expect(certificate.pem.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
            #expect(certificate.pem.hasSuffix("\n-----END CERTIFICATE-----\n"))
        }
    }

    @Test func `the fields are fixed, and the signature is by the key itself`() throws {
        for pem in [Self.elliptic(), try Self.rsa()] {
            let keys = try SigningKeys(pem: pem)
            let certificate = try Certificate(pemEncoded: try #require(try certificates(keys).first).pem)
            #expect(certificate.version == .v3)
            #expect(certificate.notValidBefore == Date(timeIntervalSince1970: 1_577_836_800))
            #expect(certificate.notValidAfter == Date(timeIntervalSince1970: 2_840_140_800))
            #expect(certificate.subject == certificate.issuer)
            let name = try DistinguishedName { CommonName(keys.signing.keyID) }
            #expect(certificate.subject == name)
            #expect(certificate.serialNumber.bytes.count == 16)
            #expect(certificate.serialNumber.bytes.first == 1)
            #expect(certificate.publicKey.isValidSignature(certificate.signature, for: certificate))
            #expect(try certificate.extensions.basicConstraints == .notCertificateAuthority)

            // A replica makes the same one but for the signature.
            let replica = try Certificate(pemEncoded: try #require(try certificates(keys).first).pem)
            #expect(replica.tbsCertificateBytes == certificate.tbsCertificateBytes)
        }
    }

    @Test func `a key of another kind has no certificate, and no key can be written`() throws {
        let other = try SigningKey.generate(.eddsa)
        #expect(throws: CertificateKeyError.unsupportedAlgorithm) { try CertificateKey(other) }
        let key = try CertificateKey(SigningKey.generate(.es256))
        #expect(throws: CertificateKeyError.notExportable) { try key.serializeAsPEM() }
        #expect(throws: CertificateKeyError.unsupportedAlgorithm) {
            try key.signSynchronously(bytes: [UInt8](), signatureAlgorithm: .sha256WithRSAEncryption)
        }
    }
}
