// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import OIDCBrokerConfiguration

/// The spelling of keys in one kind of source, by the rules of swift-configuration.
///
/// Names are compared as they are spelled, since a spelling cannot be reversed: `a-b.c` and `a.b-c` are the same
/// environment variable.
enum ConfigurationSpelling: Sendable {
    /// `auth.provider.acme.client-id`, nested in the file.
    case file
    /// `AUTH_PROVIDER_ACME_CLIENT_ID`.
    case environment
    /// `--auth-provider-acme-client-id`.
    case commandLine
    /// `auth-provider-acme-client-id`.
    case secretFile

    /// Returns a key of lower-case components as it is spelled in this source.
    func spelled(_ key: String) -> String {
        switch self {
        case .file: key
        case .environment: String(key.uppercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
        case .commandLine: "--" + spelledWithDashes(key)
        case .secretFile: spelledWithDashes(key)
        }
    }

    private func spelledWithDashes(_ key: String) -> String {
        String(key.map { $0 == "." ? "-" : $0 })
    }

    /// Returns whether a name, spelled as in any source, is that of a secret. The path of a file with a secret is not a
    /// secret.
    static func isSecret(_ name: String) -> Bool {
        var name = String(name.lowercased().map { $0 == "_" || $0 == "." ? "-" : $0 })
        if name.hasPrefix("--") { name.removeFirst(2) }
        return secrets.contains { name.hasPrefix($0.prefix) && name.hasSuffix($0.key) }
    }

    /// The spelled prefixes and keys of secrets.
    private static let secrets = SettingsTable.secretKeys(
        in: BrokerConfiguration.settingsTables + ServerConfiguration.settingsTables
    ).map { key in (prefix: secretFile.spelled(key.prefix), key: secretFile.spelled(key.key)) }

    /// Returns the name nearest to a misspelled one; `nil` if none is near enough.
    static func nearest(to name: String, among known: some Sequence<String>) -> String? {
        let limit = max(2, name.count / 4)
        var best: (name: String, distance: Int)?
        for candidate in known.sorted() {
            let distance = Self.distance(name, candidate)
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.name
    }

    /// Returns the name in another section with the last component of a misplaced one, `server.port` for `auth.port`: the
    /// one that is least nested, and the first of those. `nil` if there is none. Only names in a file have components.
    static func sameEnding(as name: String, among known: some Sequence<String>) -> String? {
        guard let last = name.split(separator: ".").last, last.utf8.count < name.utf8.count else { return nil }
        return known.filter { $0.hasSuffix("." + last) }.min { first, second in
            let depths = [first, second].map { $0.utf8.count { $0 == UInt8(ascii: ".") } }
            return depths[0] == depths[1] ? first < second : depths[0] < depths[1]
        }
    }

    /// Returns the edit distance in which a transposition of neighbors counts once (optimal string alignment).
    static func distance(_ first: String, _ second: String) -> Int {
        let first = Array(first.utf8)
        let second = Array(second.utf8)
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for (row, byte) in first.enumerated() {
            var current = [row + 1]
            current.reserveCapacity(second.count + 1)
            for (column, other) in second.enumerated() {
                var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (byte == other ? 0 : 1))
                if row > 0, column > 0, byte == second[column - 1], first[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[second.count]
    }
}
