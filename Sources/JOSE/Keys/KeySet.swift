// SPDX-License-Identifier: Apache-2.0

/// An issuer's public keys (RFC 7517 section 5). Immutable.
///
/// Entries that cannot be used are left out, so that a key of a new kind does not prevent all sign-ins. Only an error
/// that makes the whole document doubtful refuses it. A key whose private half is published is left out too, since it
/// proves nothing about the signer.
package struct KeySet: Sendable {
    /// The maximum length of the text, in bytes: 512 KB.
    package static let longestText = 524_288

    /// The maximum number of entries in a set, unusable ones included.
    package static let mostKeys = 100

    /// The members that only a private or a symmetric key has (RFC 7518 sections 6.2.2, 6.3.2 and 6.4, RFC 8037 section
    /// 2).
    private static let secretMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    /// The usable keys, in the order of the set.
    package let keys: [VerificationKey]

    /// The entries that were left out.
    package let skipped: [SkippedKey]

    /// Whether an entry published private or symmetric key material. That entry is left out, and so is every other
    /// entry of the same key. The issuer's operator should be told.
    package var containsSecrets: Bool { skipped.contains { $0.reason == .privateMembers } }

    /// Parses a key set.
    ///
    /// - Throws: ``KeySetError``.
    package init(json: [UInt8]) throws(KeySetError) {
        guard json.count <= Self.longestText else { throw .tooLong }
        let object: JSONObject
        do {
            object = try JSONParser.object(json, limits: JSONLimits(maximumBytes: Self.longestText))
        } catch {
            throw .json(error)
        }
        guard let entries = object["keys"]?.arrayValue else { throw .noKeys }
        guard entries.count <= Self.mostKeys else { throw .tooManyKeys }
        var keys: [VerificationKey] = []
        var skipped: [SkippedKey] = []
        /// The position of each of `keys` in the set.
        var places: [Int] = []
        var published = PublishedKeys()
        keys.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() {
            guard let jwk = entry.objectValue else {
                skipped.append(SkippedKey(index: index, reason: .notAnObject))
                continue
            }
            guard !Self.secretMembers.contains(where: { jwk.present($0) != nil }) else {
                skipped.append(SkippedKey(index: index, keyID: jwk["kid"], reason: .privateMembers))
                published.insert(jwk)
                continue
            }
            do {
                keys.append(try VerificationKey(jwk: jwk))
                places.append(index)
            } catch {
                skipped.append(SkippedKey(index: index, keyID: jwk["kid"], reason: error))
            }
        }
        if !published.isEmpty {
            // Another entry of a published key, without the private half, is as untrustworthy.
            for (position, index) in places.enumerated().reversed() {
                guard let jwk = entries[index].objectValue, published.contains(jwk) else { continue }
                keys.remove(at: position)
                skipped.append(SkippedKey(index: index, keyID: jwk["kid"], reason: .privateMembers))
            }
            skipped.sort { $0.index < $1.index }
        }
        self.keys = keys
        self.skipped = skipped
    }

    /// The keys that may have made a signature, in the order of the set.
    ///
    /// - Parameters:
    ///   - keyID: The token's `kid`. If present, only keys with exactly that `kid` are returned, otherwise keys with any.
    ///   - algorithm: The token's `alg`. Only keys that support it are returned.
    package func candidates(keyID: WireText?, algorithm: JSONWebAlgorithm) -> [VerificationKey] {
        keys.filter { key in
            guard key.supports(algorithm) else { return false }
            guard let keyID else { return true }
            return key.keyID?.hasSameBytes(as: keyID) ?? false
        }
    }

    /// Whether a usable key has this `kid`, for any algorithm.
    package func contains(keyID: WireText) -> Bool {
        keys.contains { $0.keyID?.hasSameBytes(as: keyID) ?? false }
    }
}

/// The reason why a text is not a usable key set.
package enum KeySetError: Error, Hashable, CustomStringConvertible {
    /// The text is longer than 512 KB.
    case tooLong
    /// The set has more than 100 keys.
    case tooManyKeys
    /// The object has no array `keys` (RFC 7517 section 5.1).
    case noKeys
    /// The text is not a JSON object.
    case json(JSONError)

    package var description: String {
        switch self {
        case .tooLong: "key set longer than \(KeySet.longestText) bytes"
        case .tooManyKeys: "key set with more than \(KeySet.mostKeys) keys"
        case .noKeys: "key set without keys"
        case .json(let error): "key set: \(error)"
        }
    }
}
