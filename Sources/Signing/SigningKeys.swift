// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The keys that sign ID tokens, newest first: the first one signs, all are published and verify. The key decides the
/// algorithm: P-256 gives ES256, RSA gives RS256 (RFC 7518 section 3.1). A broker signs with the first one of each
/// algorithm. RSA keys are published before the others.
///
/// To change the key, add the new one as the second, wait until verifiers have read it, move it to the front, and
/// remove the old one once no token of it is accepted any more. Printing shows the identifiers of the keys only.
public struct SigningKeys: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The maximum number of keys.
    public static let maximumCount = 16

    /// The size of the largest RSA key, in bits. The time of a signature grows with the cube of the size.
    private static let maximumBits = 4096

    /// The keys, newest first.
    package let all: [SigningKey]
    /// The key that signs, the first of them.
    package let signing: SigningKey
    /// The public keys, for verification.
    package let keySet: KeySet

    /// The public keys as the JSON text of a JWK set (RFC 7517 section 5). Each has `kid`, which is its thumbprint
    /// (RFC 7638), `alg` and `use`.
    public let jwks: String

    /// Reads private keys, newest first.
    /// - Parameter pem: The PEM text of 1 to ``maximumCount`` unencrypted private keys: P-256 in PKCS#8 or SEC 1, RSA
    ///   of 2048 to 4096 bits in PKCS#8 or PKCS#1. Blocks that hold no private key are skipped.
    /// - Throws: ``SigningKeysError``.
    public init(pem: String) throws(SigningKeysError) {
        try self.init(blocks: PEMBlocks.privateKeys(in: pem))
    }

    /// Reads private keys, newest first, each from its own text.
    /// - Throws: ``SigningKeysError``.
    package init(blocks: [String]) throws(SigningKeysError) {
        guard blocks.count <= Self.maximumCount else { throw SigningKeysError(.tooMany) }
        var keys: [SigningKey] = []
        for (index, block) in blocks.enumerated() {
            keys.append(try Self.key(block, number: index + 1))
        }
        try self.init(keys)
    }

    private init(_ keys: [SigningKey]) throws(SigningKeysError) {
        guard let first = keys.first else { throw SigningKeysError(.noKey) }
        var keyIDs: Set<String> = []
        for (index, key) in keys.enumerated() {
            guard keyIDs.insert(key.keyID).inserted else { throw SigningKeysError(.duplicate, keyNumber: index + 1) }
        }
        let document = Self.keySetDocument(of: keys)
        // A verifier leaves out a key that it does not accept, and would then refuse the tokens of it.
        guard let keySet = try? KeySet(json: document), keySet.keys.count == keys.count else {
            throw SigningKeysError(.unusable)
        }
        all = keys
        signing = first
        self.keySet = keySet
        jwks = String(decoding: document, as: UTF8.self)
    }

    /// Generates a P-256 key, for a server on a loopback address, whose tokens need not outlive it.
    /// - Throws: ``SigningKeysError`` if the cryptographic library makes no key.
    public static func generate() throws(SigningKeysError) -> SigningKeys {
        guard let key = try? SigningKey.generate(.es256) else { throw SigningKeysError(.unusable) }
        return try SigningKeys([key])
    }

    /// Returns the public halves of any keys as a JWK set (RFC 7517 section 5), the RSA keys first: python-jose 3.5.0
    /// ignores `kid` and takes the first key, most often for RS256.
    package static func keySetDocument(of keys: [SigningKey]) -> [UInt8] {
        let published = keys.filter { $0.isRSA } + keys.filter { !$0.isRSA }
        return (["keys": .array(published.map { .object($0.publicJWK) })] as JSONObject).serialized()
    }

    private static func key(_ block: String, number: Int) throws(SigningKeysError) -> SigningKey {
        let key: SigningKey
        do throws(SigningKeyError) {
            let algorithm = try SigningKey.defaultAlgorithm(pem: block)
            guard algorithm == .es256 || algorithm == .rs256 else { throw SigningKeyError.unsupportedKeyType }
            key = try SigningKey(pem: block, algorithm: algorithm)
        } catch {
            throw SigningKeysError(code(of: error), keyNumber: number)
        }
        guard key.bitCount <= maximumBits else { throw SigningKeysError(.unsupportedSize, keyNumber: number) }
        return key
    }

    private static func code(of error: SigningKeyError) -> SigningKeysError.Code {
        switch error {
        case .encrypted: .encrypted
        case .unsupportedKeyType: .unsupportedKind
        case .unsupportedKeySize: .unsupportedSize
        default: .unreadable
        }
    }

    public var description: String { "SigningKeys(\(all.map(\.keyID).joined(separator: ", ")))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SigningKey {
    fileprivate var isRSA: Bool { publicJWK["kty"] == "RSA" }
}
