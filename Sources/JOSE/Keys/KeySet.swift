// SPDX-License-Identifier: Apache-2.0

/// An issuer's public keys (RFC 7517 section 5), read once, never changed.
///
/// Lossy: an entry that cannot be used is left out, so that a key of a new kind does not lock everybody out. Only what
/// makes the whole text doubtful refuses it. A key whose private half is published as well serves nobody: anybody can
/// sign with it.
package struct KeySet: Sendable {
    /// The longest accepted text, in bytes: 512 KB.
    package static let longestText = 524_288

    /// The most entries that a set may have, unusable ones included.
    package static let mostKeys = 100

    /// Members that only a private or a symmetric key has (RFC 7518 sections 6.2.2, 6.3.2, 6.4, RFC 8037 section 2).
    private static let secretMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    /// The usable keys, in their order.
    package let keys: [VerificationKey]

    /// The entries that were left out.
    package let skipped: [SkippedKey]

    /// Whether an entry published private or symmetric key material. It is left out, and so is every other entry of the
    /// same key; the issuer's operator should know.
    package var containsSecrets: Bool { skipped.contains { $0.reason == .privateMembers } }

    /// Reads a key set.
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
        /// Where each of `keys` stood.
        var places: [Int] = []
        var published = PublishedKeys()
        keys.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() {
            guard let jwk = entry.objectValue else {
                skipped.append(SkippedKey(index: index, reason: .notAnObject))
                continue
            }
            guard !Self.secretMembers.contains(where: { jwk[$0] != nil }) else {
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
            // The same key once more, without its private half: as useless.
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

    /// The keys that may have made a signature, in the set's order.
    ///
    /// - Parameters:
    ///   - keyID: The token's `kid`. With one, only keys of exactly that `kid`: never another key in its stead. Without
    ///     one, every key.
    ///   - algorithm: The token's `alg`; only keys that support it.
    package func candidates(keyID: WireText?, algorithm: JSONWebAlgorithm) -> [VerificationKey] {
        keys.filter { key in
            guard key.supports(algorithm) else { return false }
            guard let keyID else { return true }
            return key.keyID?.hasSameBytes(as: keyID) ?? false
        }
    }

    /// Whether a usable key has this `kid`, for whatever algorithm.
    package func contains(keyID: WireText) -> Bool {
        keys.contains { $0.keyID?.hasSameBytes(as: keyID) ?? false }
    }
}
