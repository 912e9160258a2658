// SPDX-License-Identifier: Apache-2.0

/// The version of this program.
enum Version {
    /// The version by semantic versioning.
    static let number = "0.1.0"

    /// The commit, which `git archive` writes here (`export-subst` in .gitattributes), as it does for the archives of a
    /// release. A build of a clone has none: a package manifest has no way to hand a text to Swift without a plugin.
    private static let archivedCommit = "$Format:%H$"

    /// The version and, if it is known, the commit.
    static var text: String { text(commit: archivedCommit) }

    /// The commit; `nil` if it is not known.
    static var commit: String? { isHash(archivedCommit) ? archivedCommit : nil }

    /// The version and, if it is the hash of one (SHA-1 or SHA-256, hexadecimal), the commit.
    static func text(commit: String) -> String {
        isHash(commit) ? "\(number) (commit \(commit))" : number
    }

    private static func isHash(_ commit: String) -> Bool {
        [40, 64].contains(commit.utf8.count)
            && commit.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
