// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The paths that a line about a request may show: those of the server itself.
package struct AccessPaths: Sendable {
    /// What stands for any other path.
    package static let other = "other"

    private let own: [WireText: String]
    private let longest: Int

    /// Creates the list.
    /// - Parameter paths: The server's own paths, as they are received: undecoded, and without a query.
    package init(_ paths: some Sequence<String>) {
        own = Dictionary(paths.map { (WireText($0), $0) }) { first, _ in first }
        longest = own.values.map(\.utf8.count).max() ?? 0
    }

    /// Returns the path of a received request target if it is one of the list, and otherwise ``other``. At most as many
    /// bytes are read as the longest path of the list has.
    package func path(of target: String) -> String {
        let end = target.utf8.prefix(longest + 1).firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
        let path = target[..<end]
        guard path.utf8.count <= longest else { return Self.other }
        return own[WireText(path)] ?? Self.other
    }
}
