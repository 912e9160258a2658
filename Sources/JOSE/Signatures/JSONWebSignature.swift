// SPDX-License-Identifier: Apache-2.0

/// A compact JWS (RFC 7515 section 7.1) that has been parsed strictly and not been verified yet.
///
/// The header contains unverified claims of the sender. It selects among the keys and algorithms that the caller
/// already trusts and never adds any: `jwk`, `jku`, `x5u` and `x5c` are ignored. The claims are available only from
/// `verified(by:algorithms:)`.
package struct JSONWebSignature: Sendable {
    /// The maximum length of a token, in bytes: 64 KB.
    package static let longestToken = 65_536

    /// The header's `alg`.
    package let algorithm: JSONWebAlgorithm

    /// The header's `kid`, an opaque text of at most 1 KB; `nil` if it is absent.
    package let keyID: WireText?

    /// The header's `typ` as it was received; `nil` if it is absent, null or empty.
    package let type: WireText?

    /// The signed bytes: the header and payload segments exactly as in the token.
    let signingInput: ArraySlice<UInt8>
    let payload: [UInt8]
    let signature: [UInt8]

    /// Parses a token.
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
        guard let name = header["alg"]?.text else { throw .malformed("alg is not a string") }
        guard let algorithm = JSONWebAlgorithm(wire: name) else {
            let found = Self.isNone(name) ? "none" : Self.unsupported(name)
            throw .algorithmNotAllowed.wanting("a signature", found: found)
        }
        self.algorithm = algorithm
        keyID = try Self.optionalText(header["kid"], otherwise: "kid is not a string")
        // Blank counts as absent. That is safe: a token that needs a certain type is refused with either.
        type = try Self.optionalText(header.present("typ"), otherwise: "typ is not a string")
        if let keyID, keyID.utf8.count > VerificationKey.longestKeyID {
            throw .malformed("kid longer than 1 KB")
        }
        // A recipient that supports no extensions must refuse every token with a critical one (RFC 7515 section
        // 4.1.11). The payload is always base64url, which the extension of RFC 7797 would change.
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

    /// Whether a text has the five segments of a compact JWE (RFC 7516 section 7.1). Nothing else is checked.
    package static func isFiveSegments(_ compact: String) -> Bool {
        compact.utf8.withContiguousBytes { bytes in
            bytes.reduce(0) { $1 == UInt8(ascii: ".") ? $0 + 1 : $0 } == 4
        }
    }

    /// The positions of the two dots; `nil` if there are not exactly two.
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

    /// Whether `alg` is the `none` of RFC 7518 section 3.6 in any case, which the error then names.
    private static func isNone(_ name: WireText) -> Bool {
        name.utf8.count == 4 && zip(name.utf8, "none".utf8).allSatisfy { $0 | 0x20 == $1 }
    }

    /// The name of an algorithm that is registered and not supported here. Any other name is not repeated.
    private static func unsupported(_ name: WireText) -> String {
        guard let name = name.ascii(atMost: JSONWebAlgorithm.longestName),
            JSONWebAlgorithm.unsupportedNames.contains(name)
        else { return "an unknown one" }
        return "\(name), which is not supported"
    }

    private static func header(_ bytes: [UInt8]) throws(JSONWebSignatureError) -> JSONObject {
        do {
            return try JSONParser.object(bytes, limits: .header)
        } catch {
            throw .malformed("header is not a JSON object")
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
