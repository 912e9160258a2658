// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras

extension JSONWebEncryption {
    /// Encrypts bytes to a public key, as a provider does. For the test provider.
    ///
    /// - Parameters:
    ///   - plaintext: The bytes to encrypt; a compact JWS if the token is meant to be accepted.
    ///   - recipient: The recipient's public JWK. Its `kid`, if present, goes into the header.
    ///   - keyManagement: The name of a ``KeyManagementAlgorithm``.
    ///   - contentEncryption: The name of a ``ContentEncryptionAlgorithm``.
    ///   - header: Additional header members, which replace existing ones, so that tests can make invalid headers. The
    ///     resulting header is authenticated. `apu` and `apv` are used if they are base64url.
    /// - Returns: The compact JWE.
    /// - Throws: ``JSONWebEncryptionError`` for an unsupported algorithm, ``VerificationKeyError`` for an unsupported
    ///   kind of key, and errors of the library.
    package static func encrypt(
        _ plaintext: [UInt8], to recipient: JSONObject, keyManagement: String, contentEncryption: String,
        header: JSONObject = [:]
    ) throws -> String {
        guard let management = KeyManagementAlgorithm(rawValue: keyManagement) else {
            throw JSONWebEncryptionError.keyManagementNotAllowed
        }
        guard let encryption = ContentEncryptionAlgorithm(rawValue: contentEncryption) else {
            throw JSONWebEncryptionError.contentEncryptionNotAllowed
        }
        var fullHeader: JSONObject = ["alg": .string(keyManagement), "enc": .string(contentEncryption), "cty": "JWT"]
        if let keyID = recipient["kid"] {
            fullHeader["kid"] = keyID
        }
        let key: [UInt8]
        var encryptedKey: [UInt8] = []
        switch management {
        case .rsaOAEP256:
            let publicKey = try _RSA.Encryption.PublicKey(
                n: PublicKeyMaterial.unsignedInteger(recipient["n"]),
                e: PublicKeyMaterial.unsignedInteger(recipient["e"]))
            key = SecureRandom.bytes(encryption.keyByteCount)
            encryptedKey = Array(try publicKey.encrypt(key, padding: .PKCS1_OAEP_SHA256))
        case .ecdhES, .ecdhESA128KW, .ecdhESA192KW, .ecdhESA256KW:
            let agreed = try EphemeralKey(jwk: recipient).agreeWithNewKey()
            fullHeader["epk"] = .object(agreed.publicJWK)
            let wrappingKeyByteCount = management.wrappingKeyByteCount
            let derived = ConcatKeyDerivation.derive(
                sharedSecret: agreed.sharedSecret,
                algorithm: wrappingKeyByteCount == nil ? contentEncryption : keyManagement,
                partyUInfo: header["apu"]?.text.flatMap { Base64URL.decode($0) } ?? [],
                partyVInfo: header["apv"]?.text.flatMap { Base64URL.decode($0) } ?? [],
                byteCount: wrappingKeyByteCount ?? encryption.keyByteCount)
            if wrappingKeyByteCount == nil {
                key = derived
            } else {
                key = SecureRandom.bytes(encryption.keyByteCount)
                encryptedKey = Array(
                    try AES.KeyWrap.wrap(SymmetricKey(data: key), using: SymmetricKey(data: derived)))
            }
        }
        for member in header.members {
            fullHeader[member.name] = member.value
        }
        let protectedHeader = Base64URL.encode(fullHeader.serialized())
        let sealed = try encryption.seal(plaintext, key: key, authenticating: Array(protectedHeader.utf8))
        let segments = [encryptedKey, sealed.initializationVector, sealed.ciphertext, sealed.tag]
        return ([protectedHeader] + segments.map { Base64URL.encode($0) }).joined(separator: ".")
    }
}
