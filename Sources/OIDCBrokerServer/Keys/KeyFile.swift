// SPDX-License-Identifier: Apache-2.0

package import JOSE
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerState
import OpenIDRelyingParty
import Signing

/// A file with keys, read by the code that reads it for the configuration. Printing it shows nothing of the keys.
package struct KeyFile: Sendable, Unprinted {
    /// What may be shown of a key.
    package struct Key: Sendable, Hashable {
        /// The identifier: the `kid` as it is published (RFC 7638), or in hexadecimal the 4 bytes that name a sealing
        /// key in what it sealed.
        package let id: String
        /// The algorithm, such as `ES256`.
        package let algorithm: String
        /// The size in bits.
        package let bitCount: Int
    }

    /// The kind of the keys.
    package let kind: KeyKind
    /// The keys, in their order.
    package let keys: [Key]

    private let text: KeyFileText
    /// The keys that sign; none in a file of sealing or decryption keys.
    private let signingKeys: [SigningKey]
    /// The keys that decrypt; none in a file of other keys.
    private let decryptionKeys: [DecryptionKey]

    /// Reads the contents of a file.
    /// - Throws: ``KeyFileError/unexpectedContents(_:)`` if the configuration would refuse them, or text and keys
    ///   cannot be told apart.
    package init(_ contents: [UInt8], kind: KeyKind) throws(KeyFileError) {
        let text = KeyFileText(contents, kind: kind)
        let pieces = text.keys
        if kind == .sealing {
            guard let keys = Self.sealingKeys(pieces) else { throw .unexpectedContents(kind) }
            self.keys = keys
            signingKeys = []
            decryptionKeys = []
        } else if kind == .decryption {
            let found = pieces.compactMap { try? DecryptionKey(pem: $0.exposed) }
            guard !found.isEmpty, found.count == pieces.count else { throw .unexpectedContents(kind) }
            keys = found.map { key in
                Key(id: key.keyID, algorithm: key.keyManagement.rawValue, bitCount: key.bitCount)
            }
            signingKeys = []
            decryptionKeys = found
        } else {
            let whole = ConfigurationValues.text(ofFile: contents)
            let blocks = kind.isSingle ? [Secret(whole)] : PEMBlocks.split(whole).map { Secret($0) }
            // Both ways to cut the text must find the same keys, or a change would lose one.
            guard contents.count <= ConfigurationFile.maximumBytes, let configured = Self.signingKeys(blocks, kind),
                let found = Self.signingKeys(pieces, kind), configured.map(\.keyID) == found.map(\.keyID)
            else { throw .unexpectedContents(kind) }
            keys = found.map { Key(id: $0.keyID, algorithm: $0.algorithm.rawValue, bitCount: $0.bitCount) }
            signingKeys = found
            decryptionKeys = []
        }
        self.kind = kind
        self.text = text
    }

    /// Reads a file.
    /// - Parameter kind: The kind of the keys. `nil` for that of the record of a rotation beside the file; without one
    ///   a file with PEM blocks has signing keys, and any other file sealing keys.
    /// - Throws: ``KeyFileError``.
    package static func read(path: String, kind: KeyKind?) throws(KeyFileError) -> KeyFile {
        guard let contents = ConfigurationFile.contents(atPath: path) else { throw .unreadable }
        let likely = KeyFileText.hasBlocks(contents) ? KeyKind.signing : .sealing
        return try KeyFile(contents, kind: kind ?? recordedKind(besideFileAt: path) ?? likely)
    }

    private static func recordedKind(besideFileAt path: String) -> KeyKind? {
        guard let files = try? KeyRotationFiles(path), let record = ConfigurationFile.contents(atPath: files.record)
        else { return nil }
        return KeyRotationRecord(json: record)?.kind.keyKind
    }

    /// The contents of the file, which are secret.
    package var contents: [UInt8] { text.bytes }

    /// Returns the public keys as a JWK set (RFC 7517 section 5), as the broker publishes it or as it is registered at a
    /// provider; `nil` for sealing keys, which have no public half.
    /// - Parameters:
    ///   - algorithm: The algorithm of the key of a client, if it is not the one of its kind.
    ///   - keyManagement: The algorithm that is registered for decryption keys, if it is not the one of their kind.
    ///   - keyID: The `kid` of the key of a client, if it is not its thumbprint.
    /// - Throws: ``KeyFileError/unexpectedContents(_:)`` if no key serves the algorithm.
    package func keySetDocument(
        algorithm: JSONWebAlgorithm? = nil, keyManagement: KeyManagementAlgorithm? = nil, keyID: String? = nil
    ) throws(KeyFileError) -> [UInt8]? {
        switch kind {
        case .sealing: return nil
        case .signing, .resource, .accounts, .sessionCookies, .webhook:
            return SigningKeys.keySetDocument(of: signingKeys)
        case .client:
            var jwks = signingKeys.map(\.publicJWK)
            if let algorithm {
                guard (try? SigningKey(pem: text.keys.first?.exposed ?? "", algorithm: algorithm)) != nil else {
                    throw .unexpectedContents(kind)
                }
                jwks[0]["alg"] = .string(algorithm.rawValue)
            }
            if let keyID { jwks[0]["kid"] = .string(keyID) }
            return Self.document(jwks)
        case .decryption:
            if let keyManagement, !decryptionKeys.contains(where: { $0.serves(keyManagement) }) {
                throw .unexpectedContents(kind)
            }
            return Self.document(decryptionKeys.map { $0.publicJWK(for: keyManagement) })
        }
    }

    private static func document(_ jwks: [JSONObject]) -> [UInt8] {
        (["keys": .array(jwks.map { .object($0) })] as JSONObject).serialized()
    }

    /// Returns the file with a new key at an index.
    /// - Throws: ``KeyFileError/unexpectedContents(_:)`` if the configuration would refuse it, as one key too many.
    func inserting(_ key: Secret, at index: Int) throws(KeyFileError) -> KeyFile {
        try changed { $0.insert(key, at: index) }
    }

    /// Returns the file with the key at an index moved to an earlier one.
    func moving(from index: Int, to target: Int) throws(KeyFileError) -> KeyFile {
        try changed { $0.move(from: index, to: target) }
    }

    /// Returns the file without the key at an index.
    func removing(at index: Int) throws(KeyFileError) -> KeyFile {
        try changed { $0.remove(at: index) }
    }

    /// Changes the text and reads it anew, so that nothing is written that the configuration would refuse.
    private func changed(_ change: (inout KeyFileText) -> Void) throws(KeyFileError) -> KeyFile {
        var text = text
        change(&text)
        return try KeyFile(text.bytes, kind: kind)
    }

    private static func sealingKeys(_ texts: [Secret]) -> [Key]? {
        let keys = texts.compactMap { Base64.decode($0.exposed) }.filter { $0.count == SealingSecret.byteCount }
        guard !keys.isEmpty, keys.count == texts.count, Set(keys).count == keys.count else { return nil }
        return keys.map { key in
            Key(
                id: Hexadecimal.text(LoginKeys(sealingKey: key).keyID), algorithm: "A256GCM",
                bitCount: SealingSecret.byteCount * 8)
        }
    }

    private static func signingKeys(_ blocks: [Secret], _ kind: KeyKind) -> [SigningKey]? {
        switch kind {
        case .sealing, .decryption: return nil
        case .signing, .resource: return SigningKeys(pem: blocks)?.all
        case .accounts, .sessionCookies:
            return (try? SigningKeys(pem: blocks.map(\.exposed).joined(separator: "\n")))?.all
        case .client, .webhook:
            guard blocks.count == 1, let pem = blocks.first?.exposed,
                let algorithm = try? SigningKey.defaultAlgorithm(pem: pem), kind.takes(algorithm),
                let key = try? SigningKey(pem: pem, algorithm: algorithm)
            else { return nil }
            return [key]
        }
    }

    package var description: String { "KeyFile(\(keys.map(\.id).joined(separator: ", ")))" }
}

extension KeyKind {
    /// Whether a file has one key only.
    fileprivate var isSingle: Bool { self == .client || self == .webhook }

    /// Whether the only key of a file may be one of this algorithm.
    fileprivate func takes(_ algorithm: JSONWebAlgorithm) -> Bool {
        switch algorithm {
        case .es256: true
        case .es384, .es512, .rs256, .eddsa: self == .client
        default: false
        }
    }
}
