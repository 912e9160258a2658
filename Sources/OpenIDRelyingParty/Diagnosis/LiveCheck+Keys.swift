// SPDX-License-Identifier: Apache-2.0

import JOSE

extension LiveCheck {
    /// The maximum number of key IDs that a text names.
    private static let mostNames = 16
    /// The maximum length of a key ID in a text, in bytes, which is that of a ``SkippedKey``.
    private static let longestKeyID = SkippedKey.longestShownKeyID

    /// Judges a key set.
    /// - Parameter algorithms: The algorithms that ID tokens may have.
    static func keys(_ keys: KeySet, for algorithms: Set<JSONWebAlgorithm>, of provider: String) -> [LiveCheck] {
        let asymmetric = algorithms.filter { !$0.isSymmetric }
        let usable = keys.keys.filter { key in asymmetric.contains { key.supports($0) } }
        let names = usable.prefix(mostNames).map { $0.keyID?.visibleASCII(atMost: longestKeyID) ?? "without kid" }
        let found =
            "\(usable.count) of \(keys.keys.count + keys.skipped.count) keys usable"
            + (names.isEmpty ? "" : ": " + names.joined(separator: ", "))
        let wanted =
            asymmetric.isEmpty
            ? "none, since ID tokens have an HMAC"
            : "a key for " + asymmetric.map(\.rawValue).sorted().joined(separator: " or ")
        let isEnough = !usable.isEmpty || asymmetric.isEmpty
        let sum = LiveCheck(
            .keys, of: provider, isEnough ? .ok : .wrong, found: found, wanted: wanted,
            advice: isEnough
                ? nil : "The provider has to publish a key for one of its algorithms; see the skipped keys.")
        return [sum] + keys.skipped.map { skipped($0, of: provider) }
    }

    private static func skipped(_ key: SkippedKey, of provider: String) -> LiveCheck {
        let found = "key \(key.index + 1), kid \(key.keyID ?? "none"): skipped: \(key.reason)"
        return switch key.reason {
        case .notForVerification:
            LiveCheck(.skippedKey, of: provider, .ok, found: found, wanted: "nothing: it signs no tokens")
        case .privateMembers:
            LiveCheck(
                .skippedKey, of: provider, .wrong, found: found, wanted: "public members only",
                advice: "Tell the provider: everybody can sign with this key, so no token of it is accepted.")
        default:
            LiveCheck(
                .skippedKey, of: provider, .unknown, found: found, wanted: "nothing, unless it signs ID tokens",
                advice: "ID tokens that this key signs are refused.")
        }
    }
}
