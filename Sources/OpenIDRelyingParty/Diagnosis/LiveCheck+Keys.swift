// SPDX-License-Identifier: Apache-2.0

import JOSE

extension LiveCheck {
    /// The check of the keys of an app at its `jwks-uri`.
    /// - Parameters:
    ///   - app: The name of the app in the configuration.
    ///   - count: The number of keys that can be used.
    ///   - error: The reason why they could not be fetched; `nil` if they were.
    package static func appKeys(of app: String, count: Int, _ error: RelyingPartyError?) -> LiveCheck {
        let wanted = "keys of the app \(app) at its jwks-uri"
        guard count == 0 else { return LiveCheck(.appKeys, of: nil, .ok, found: "\(count) keys", wanted: wanted) }
        return LiveCheck(
            .appKeys, of: nil, error?.isTemporary == true ? .unreachable : .wrong,
            found: error.map { "\($0)" } ?? "no key that can be used", wanted: wanted,
            advice: "Check auth.app.\(app).jwks-uri and certificate-authorities, and whether the app responds there.")
    }

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
                ? nil : "The provider must publish a key for one of its algorithms; see the skipped keys.")
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
                advice: "Tell the provider: anyone can sign with this key, so no token signed with it is accepted.")
        default:
            LiveCheck(
                .skippedKey, of: provider, .unknown, found: found, wanted: "nothing, unless it signs ID tokens",
                advice: "ID tokens that this key signs are refused.")
        }
    }
}
