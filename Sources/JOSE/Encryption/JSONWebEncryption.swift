// SPDX-License-Identifier: Apache-2.0

/// A compact JWE (RFC 7516 section 7.1) that has been parsed strictly and not been decrypted yet.
///
/// Encryption does not authenticate: anyone who knows the public key can encrypt. ``decrypted(with:algorithm:)`` returns a nested
/// token whose signature must still be verified, as a ``JSONWebSignature``.
package struct JSONWebEncryption: Sendable {
    /// The maximum length of a token, in bytes: 64 KB.
    package static let longestToken = JSONWebSignature.longestToken

    /// The header's `enc`.
    package let contentEncryption: ContentEncryptionAlgorithm

    /// The header's `kid`, an opaque text of at most 1 KB; `nil` if it is absent.
    package let keyID: WireText?

    /// The header's `alg`.
    package var keyManagement: KeyManagementAlgorithm {
        switch keyEstablishment {
        case .rsaOAEP256: .rsaOAEP256
        case .ecdhES(_, let algorithm, _, _): algorithm
        }
    }

    /// How the content encryption key is obtained, with the header's parameters for it.
    let keyEstablishment: KeyEstablishment

    /// The header exactly as in the token; the tag authenticates it (RFC 7516 section 5.2 step 15).
    let additionalData: ArraySlice<UInt8>
    let encryptedKey: [UInt8]
    let initializationVector: [UInt8]
    let ciphertext: [UInt8]
    let authenticationTag: [UInt8]

    /// A ``KeyManagementAlgorithm`` with its parameters.
    enum KeyEstablishment: Sendable {
        case rsaOAEP256
        case ecdhES(EphemeralKey, KeyManagementAlgorithm, partyUInfo: [UInt8], partyVInfo: [UInt8])
    }

    /// Parses a token.
    ///
    /// - Throws: ``JSONWebEncryptionError/malformed(_:)``, ``JSONWebEncryptionError/keyManagementNotAllowed`` or
    ///   ``JSONWebEncryptionError/contentEncryptionNotAllowed``.
    package init(compact: String) throws(JSONWebEncryptionError) {
        guard compact.utf8.count <= Self.longestToken else { throw .malformed("longer than 64 KB") }
        let segments = Array(compact.utf8)
            .split(separator: UInt8(ascii: "."), maxSplits: 5, omittingEmptySubsequences: false)
        guard segments.count == 5 else { throw .malformed("not five segments") }
        let header = try Self.header(segments[0])
        let keyManagement = try Self.keyManagement(header)
        contentEncryption = try Self.contentEncryption(header)
        try Self.refuseExtensions(header)
        keyID = try Self.optionalText(header["kid"], otherwise: "kid is not a string")
        if let keyID, keyID.utf8.count > VerificationKey.longestKeyID {
            throw .malformed("kid longer than 1 KB")
        }
        switch keyManagement {
        case .rsaOAEP256:
            keyEstablishment = .rsaOAEP256
        case .ecdhES, .ecdhESA128KW, .ecdhESA192KW, .ecdhESA256KW:
            keyEstablishment = .ecdhES(
                try Self.ephemeralKey(header), keyManagement,
                partyUInfo: try Self.partyInfo(header.present("apu"), otherwise: "apu is not base64url"),
                partyVInfo: try Self.partyInfo(header.present("apv"), otherwise: "apv is not base64url"))
        }
        additionalData = segments[0]
        encryptedKey = try Self.octets(segments[1], otherwise: "encrypted key is not base64url")
        initializationVector = try Self.octets(segments[2], otherwise: "initialization vector is not base64url")
        ciphertext = try Self.octets(segments[3], otherwise: "ciphertext is not base64url")
        authenticationTag = try Self.octets(segments[4], otherwise: "authentication tag is not base64url")
    }
}
