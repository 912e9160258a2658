// SPDX-License-Identifier: Apache-2.0

extension JSONWebEncryption {
    /// The most keys that one token is tried with.
    package static let mostCandidates = 4

    /// Decrypts the token.
    ///
    /// Among the keys of the right kind and curve those that have the token's `kid` are tried, or all where none has it:
    /// a provider may know the key by a name that was chosen at registration. At most ``mostCandidates``.
    ///
    /// - Parameter keys: Our private keys.
    /// - Returns: The nested token's text: printable ASCII, three segments. Its signature is still to be verified.
    /// - Throws: ``JSONWebEncryptionError/unknownKey``, ``JSONWebEncryptionError/notDecryptable`` for whatever fails in
    ///   decrypting, ``JSONWebEncryptionError/notNested``.
    package func decrypted(with keys: [DecryptionKey]) throws(JSONWebEncryptionError) -> String {
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
        case .ecdhES(let ephemeralKey, _, _): material.isOnSameCurve(as: ephemeralKey)
        }
    }

    private func opened(with material: DecryptionKeyMaterial) -> [UInt8]? {
        contentEncryption.open(
            ciphertext, tag: authenticationTag, key: contentEncryptionKey(material),
            initializationVector: initializationVector, authenticating: additionalData)
    }

    /// The content encryption key, or a random one where there is none.
    ///
    /// RFC 7516 section 11.5: after a failed unwrapping, or one that gives a key of the wrong length, decryption goes on
    /// with random bytes and fails at the tag, so that neither the response nor its time tells which step failed. OAEP
    /// resists Bleichenbacher's attack by itself; Manger's needs exactly that difference.
    private func contentEncryptionKey(_ material: DecryptionKeyMaterial) -> [UInt8] {
        let substitute = SecureRandom.bytes(contentEncryption.keyByteCount)
        switch (keyEstablishment, material) {
        case (.rsaOAEP256, .rsa(let key)):
            guard let unwrapped = key.decrypt(encryptedKey), unwrapped.count == contentEncryption.keyByteCount else {
                return substitute
            }
            return unwrapped
        case (.ecdhES(let ephemeralKey, let partyUInfo, let partyVInfo), _):
            // RFC 7516 section 5.2 step 10: the encrypted key is empty in direct agreement.
            guard encryptedKey.isEmpty, let secret = material.sharedSecret(with: ephemeralKey) else {
                return substitute
            }
            return ConcatKeyDerivation.derive(
                sharedSecret: secret, algorithm: contentEncryption.rawValue, partyUInfo: partyUInfo,
                partyVInfo: partyVInfo, byteCount: contentEncryption.keyByteCount)
        case (.rsaOAEP256, _):
            return substitute
        }
    }

    /// A compact JWS as text. Anything else that was encrypted (claims without a signature, a token encrypted once more)
    /// proves nothing of its sender.
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
