// SPDX-License-Identifier: Apache-2.0

/// A compact JWS (RFC 7515 section 7.1), taken apart strictly and not yet believed.
///
/// What stands in the header is a claim of whoever made the token. It selects among keys and algorithms that the caller
/// trusts already; it never brings any: `jwk`, `jku`, `x5u` and `x5c` are not looked at. The claims come out of
/// `verified(by:algorithms:)` alone.
package struct JSONWebSignature: Sendable {
    /// The longest accepted token, in bytes: 64 KB.
    package static let longestToken = 65_536

    /// The header's `alg`.
    package let algorithm: JSONWebAlgorithm

    /// The header's `kid`, an opaque text of at most 1 KB.
    package let keyID: WireText?

    /// The header's `typ` as written.
    package let type: WireText?

    /// The signed bytes: header and payload as they stood in the token.
    let signingInput: ArraySlice<UInt8>
    let payload: [UInt8]
    let signature: [UInt8]

    /// Takes a token apart.
    ///
    /// - Throws: ``JSONWebSignatureError/malformed(_:)`` or ``JSONWebSignatureError/algorithmNotAllowed``.
    package init(compact: String) throws(JSONWebSignatureError) {
        guard compact.utf8.count <= Self.longestToken else { throw .malformed("longer than 64 KB") }
        let bytes = Array(compact.utf8)
        guard let (headerEnd, payloadEnd) = Self.dots(in: bytes) else { throw .malformed("not three segments") }

        guard let headerBytes = Base64URL.decode(bytes[..<headerEnd]) else {
            throw .malformed("header is not base64url")
        }
        let header = try Self.header(headerBytes)
        guard let name = header["alg"]?.text else { throw .malformed("alg is no string") }
        guard let algorithm = JSONWebAlgorithm(wire: name) else {
            throw .algorithmNotAllowed.wanting("a signature", found: Self.isNone(name) ? "none" : "an unknown one")
        }
        self.algorithm = algorithm
        keyID = try Self.optionalText(header["kid"], otherwise: "kid is no string")
        type = try Self.optionalText(header["typ"], otherwise: "typ is no string")
        if let keyID, keyID.utf8.count > VerificationKey.longestKeyID {
            throw .malformed("kid longer than 1 KB")
        }
        // RFC 7515 section 4.1.11: whoever understands no extension refuses every token that calls one critical. The
        // payload is always base64url (RFC 7797 would change that).
        guard header["crit"] == nil else { throw .malformed("crit") }
        guard header["b64"] == nil else { throw .malformed("b64") }

        guard let payload = Base64URL.decode(bytes[(headerEnd + 1)..<payloadEnd]) else {
            throw .malformed("payload is not base64url")
        }
        guard let signature = Base64URL.decode(bytes[(payloadEnd + 1)...]), !signature.isEmpty else {
            throw .malformed("signature is not base64url")
        }
        self.payload = payload
        self.signature = signature
        signingInput = bytes[..<payloadEnd]
    }

    /// Whether a text has the five segments of a compact JWE (RFC 7516 section 7.1). Nothing else is looked at.
    package static func isFiveSegments(_ compact: String) -> Bool {
        var dots = 0
        for byte in compact.utf8 where byte == UInt8(ascii: ".") {
            dots += 1
            guard dots <= 4 else { return false }
        }
        return dots == 4
    }

    /// Where the two dots stand; `nil` where there are not two.
    private static func dots(in bytes: [UInt8]) -> (Int, Int)? {
        bytes.withUnsafeBufferPointer { bytes in
            let dot = UInt8(ascii: ".")
            guard let first = bytes.firstPosition(of: dot),
                let second = UnsafeBufferPointer(rebasing: bytes[(first + 1)...]).firstPosition(of: dot),
                UnsafeBufferPointer(rebasing: bytes[(first + second + 2)...]).firstPosition(of: dot) == nil
            else { return nil }
            return (first, first + 1 + second)
        }
    }

    /// Whether an `alg` is RFC 7518 section 3.6's, in whatever spelling: worth naming in the error.
    private static func isNone(_ name: WireText) -> Bool {
        name.utf8.count == 4 && zip(name.utf8, "none".utf8).allSatisfy { $0 | 0x20 == $1 }
    }

    private static func header(_ bytes: [UInt8]) throws(JSONWebSignatureError) -> JSONObject {
        do {
            return try JSONParser.object(bytes, limits: .header)
        } catch {
            throw .malformed("header is no JSON object")
        }
    }

    private static func optionalText(
        _ member: JSONValue?, otherwise reason: String
    ) throws(JSONWebSignatureError) -> WireText? {
        guard let member else { return nil }
        guard let text = member.text else { throw .malformed(reason) }
        return text
    }
}
