// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The paths that a line about a request may show: those of the server itself.
package struct AccessLogPaths: Sendable {
    /// What stands for any other path.
    package static let other = "other"

    /// The paths by their length in bytes: there are few of one length, and the path of a request is compared with
    /// these only.
    private let byLength: [[String]]

    /// Creates the list.
    /// - Parameter paths: The server's own paths, as they are received: undecoded, and without a query.
    package init(_ paths: some Sequence<String>) {
        var byLength: [[String]] = []
        for path in paths {
            let length = path.utf8.count
            while byLength.count <= length { byLength.append([]) }
            byLength[length].append(path)
        }
        self.byLength = byLength
    }

    /// Returns the path of a received request target if it is one of the list, and otherwise ``other``. At most as many
    /// bytes are read as the longest path of the list has.
    package func path(of target: String) -> String {
        target.utf8.withContiguousBytes { target in
            let start = UnsafeBufferPointer(rebasing: target.prefix(byLength.count))
            let length = start.firstPosition(of: UInt8(ascii: "?")) ?? target.count
            guard length < byLength.count else { return Self.other }
            let path = UnsafeBufferPointer(rebasing: start.prefix(length))
            return byLength[length].first { $0.hasSameBytes(as: path) } ?? Self.other
        }
    }
}
