// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The keys that sign the ID tokens of accounts, newest first: the first one signs, all are published and verify. The
/// key decides the algorithm: P-256 gives ES256, RSA gives RS256 (RFC 7518 section 3.1).
///
/// To change the key, add the new one as the second, wait until verifiers have read it, move it to the front, and
/// remove the old one once no token of it is accepted any more. Printing shows the identifiers of the keys only.
public struct AccountSigningKeys: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The maximum number of keys.
    public static let maximumCount = 16

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
    /// - Throws: ``AccountKeysError``.
    public init(pem: String) throws(AccountKeysError) {
        let blocks = Self.privateKeyBlocks(in: pem)
        guard blocks.count <= Self.maximumCount else { throw AccountKeysError(.tooMany) }
        var keys: [SigningKey] = []
        for (index, block) in blocks.enumerated() {
            keys.append(try Self.key(block, number: index + 1))
        }
        try self.init(keys)
    }

    private init(_ keys: [SigningKey]) throws(AccountKeysError) {
        guard let first = keys.first else { throw AccountKeysError(.noKey) }
        var keyIDs: Set<String> = []
        for (index, key) in keys.enumerated() {
            guard keyIDs.insert(key.keyID).inserted else { throw AccountKeysError(.duplicate, keyNumber: index + 1) }
        }
        let document = (["keys": .array(keys.map { .object($0.publicJWK) })] as JSONObject).serialized()
        // A verifier leaves out a key that it does not accept, and would then refuse the tokens of it.
        guard let keySet = try? KeySet(json: document), keySet.keys.count == keys.count else {
            throw AccountKeysError(.unusable)
        }
        all = keys
        signing = first
        self.keySet = keySet
        jwks = String(decoding: document, as: UTF8.self)
    }

    /// Generates a P-256 key, for a server on a loopback address, whose tokens need not outlive it.
    /// - Throws: ``AccountKeysError`` if the cryptographic library makes no key.
    public static func generate() throws(AccountKeysError) -> AccountSigningKeys {
        guard let key = try? SigningKey.generate(.es256) else { throw AccountKeysError(.unusable) }
        return try AccountSigningKeys([key])
    }

    public var description: String { "AccountSigningKeys(\(all.map(\.keyID).joined(separator: ", ")))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
