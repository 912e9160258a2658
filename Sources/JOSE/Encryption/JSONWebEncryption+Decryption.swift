// SPDX-License-Identifier: Apache-2.0

import Crypto

extension JSONWebEncryption {
    /// The maximum number of keys that are tried for one token.
    package static let mostCandidates = 4

    /// Decrypts the token.
    ///
    /// Of the keys of the right kind and curve, those with the token's `kid` are tried, or all of them if none has it,
    /// because a provider may know the key by a name that was chosen at registration. At most ``mostCandidates`` keys
    /// are tried.
    ///
    /// - Parameters:
    ///   - keys: The relying party's private keys.
    ///   - algorithm: The only algorithm that the keys are used with (RFC 8725 section 3.1); `nil` for all that they serve.
    /// - Returns: The text of the nested token: printable ASCII in three segments. Its signature has not been verified
    ///   yet.
    /// - Throws: ``JSONWebEncryptionError/keyManagement(_:expected:)`` for another algorithm;
    ///   ``JSONWebEncryptionError/unknownKey``; ``JSONWebEncryptionError/notDecryptable`` for any failure of decryption;
    ///   ``JSONWebEncryptionError/notNested``.
    package func decrypted(
        with keys: [DecryptionKey], algorithm: KeyManagementAlgorithm? = nil
    ) throws(JSONWebEncryptionError) -> String {
        if let algorithm, algorithm != keyManagement { throw .keyManagement(keyManagement, expected: algorithm) }
        let fitting = keys.filter { isFor($0.material) }
        let named = fitting.filter { key in keyID.map { $0.hasSameBytes(as: key.keyID) } ?? false }
        let candidates = named.isEmpty ? fitting : named
        guard !candidates.isEmpty else { throw .unknownKey }
        for key in candidates.prefix(Self.mostCandidates) {
            if let plaintext = opened(with: key.material) {
                return try Self.nestedToken(plaintext)
            }
        }
        throw .notDecryptable
    }

    private func isFor(_ material: DecryptionKeyMaterial) -> Bool {
        switch keyEstablishment {
        case .rsaOAEP256: material.keyManagement == .rsaOAEP256
        case .ecdhES(let ephemeralKey, _, _, _): material.isOnSameCurve(as: ephemeralKey)
        }
    }

    private func opened(with material: DecryptionKeyMaterial) -> [UInt8]? {
        contentEncryption.open(
            ciphertext, tag: authenticationTag, key: contentEncryptionKey(material),
            initializationVector: initializationVector, authenticating: additionalData)
    }

    /// The content encryption key, or a random one if the token does not contain a usable one.
    ///
    /// After a failed unwrapping, or one that yields a key of the wrong length, decryption continues with random bytes
    /// and fails at the tag, so that neither the result nor its timing reveals which step failed (RFC 7516 section
    /// 11.5). OAEP itself resists Bleichenbacher's attack; Manger's attack needs exactly that difference.
    private func contentEncryptionKey(_ material: DecryptionKeyMaterial) -> [UInt8] {
        let substitute = SecureRandom.bytes(contentEncryption.keyByteCount)
        switch (keyEstablishment, material) {
        case (.rsaOAEP256, .rsa(let key)):
            guard let unwrapped = key.decrypt(encryptedKey), unwrapped.count == contentEncryption.keyByteCount else {
                return substitute
            }
            return unwrapped
        case (.ecdhES(let ephemeralKey, let algorithm, let partyUInfo, let partyVInfo), _):
            guard let secret = material.sharedSecret(with: ephemeralKey) else { return substitute }
            let wrappingKeyByteCount = algorithm.wrappingKeyByteCount
            let agreed = ConcatKeyDerivation.derive(
                sharedSecret: secret,
                algorithm: wrappingKeyByteCount == nil ? contentEncryption.rawValue : algorithm.rawValue,
                partyUInfo: partyUInfo, partyVInfo: partyVInfo,
                byteCount: wrappingKeyByteCount ?? contentEncryption.keyByteCount)
            guard wrappingKeyByteCount != nil else {
                // In direct key agreement the encrypted key is empty (RFC 7516 section 5.2 step 10).
                return encryptedKey.isEmpty ? agreed : substitute
            }
            // The wrapped key is 8 bytes longer (RFC 3394 section 2.2.1).
            guard encryptedKey.count == contentEncryption.keyByteCount + 8,
                let key = try? AES.KeyWrap.unwrap(encryptedKey, using: SymmetricKey(data: agreed))
            else { return substitute }
            return key.withUnsafeBytes { Array($0) }
        case (.rsaOAEP256, _):
            return substitute
        }
    }

    /// The plaintext as the text of a compact JWS. Any other content (claims without a signature, a token that is
    /// encrypted again) proves nothing about its sender.
    private static func nestedToken(_ plaintext: [UInt8]) throws(JSONWebEncryptionError) -> String {
        var dots = 0
        for byte in plaintext {
            guard (0x21...0x7E).contains(byte) else { throw .notNested }
            if byte == UInt8(ascii: ".") {
                dots += 1
            }
        }
        guard dots == 2 else { throw .notNested }
        return String(decoding: plaintext, as: UTF8.self)
    }
}
