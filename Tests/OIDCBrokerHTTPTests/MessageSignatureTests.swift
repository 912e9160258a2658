// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import JOSE
import Testing

@testable import OIDCBrokerHTTP

/// HTTP Message Signatures (RFC 9421) as a receiver checks them: by the text of the standard, with another library's
/// signature check.
@Suite struct MessageSignatureTests {
    private static let body = Array(#"{"type":"consent-revoked"}"#.utf8)

    private func request(_ body: [UInt8] = Self.body) throws -> MessageSignature.Request {
        MessageSignature.Request(
            method: "POST", targetURI: "https://app.example.com/hook?x=1", contentType: "application/json",
            contentDigest: try ContentDigest.sha256(of: body))
    }

    /// The signature base of section 2.5, from the signature's own parameters.
    private func base(_ request: MessageSignature.Request, _ signature: MessageSignature) -> String {
        """
        "@method": \(request.method)
        "@target-uri": \(request.targetURI)
        "content-type": \(request.contentType)
        "content-digest": \(request.contentDigest)
        "@signature-params": \(signature.input.dropFirst("sig1=".count))
        """
    }

    private func isValid(_ signature: MessageSignature, _ base: String, _ pem: String) throws -> Bool {
        let key = try P256.Signing.PrivateKey(pemRepresentation: pem).publicKey
        let text = try #require(
            signature.signature.hasPrefix("sig1=:") ? signature.signature.dropFirst(6).dropLast() : nil)
        let raw = try #require(Data(base64Encoded: String(text)))
        return key.isValidSignature(
            try P256.Signing.ECDSASignature(rawRepresentation: raw), for: Data(base.utf8))
    }

    @Test func `a receiver can check it, and what was changed is noticed`() throws {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        let key = try SigningKey(pem: pem)
        let request = try request()
        let signature = try MessageSignature(request, key: key, created: 1_800_000_000)
        #expect(try isValid(signature, base(request, signature), pem))

        var moved = request
        moved.targetURI = "https://other.example.com/hook?x=1"
        #expect(try !isValid(signature, base(moved, signature), pem))
        var changed = request
        changed.contentDigest = try ContentDigest.sha256(of: Self.body + [0x20])
        #expect(try !isValid(signature, base(changed, signature), pem))
    }

    @Test func `the fields are spelled as the standard spells them`() throws {
        let key = try SigningKey(pem: P256.Signing.PrivateKey().pemRepresentation)
        let signature = try MessageSignature(request(), key: key, created: 1_800_000_000)
        #expect(
            signature.input
                == #"sig1=("@method" "@target-uri" "content-type" "content-digest");created=1800000000;"#
                + #"keyid="\#(key.keyID)";alg="ecdsa-p256-sha256";tag="oidc-broker-webhook""#)
        // RFC 9530 appendix B.1's hash of {"hello": "world"} and a line feed.
        #expect(
            try ContentDigest.sha256(of: Array("{\"hello\": \"world\"}\n".utf8))
                == "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:")
    }
}
