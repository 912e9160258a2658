// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A path of the admin API: everything that stands under a project.
struct AdminPath: Sendable {
    /// The ID of the project, as it was received.
    let projectID: Substring
    /// The operation.
    let operation: AdminOperation

    private static let toolkit1 = "/identitytoolkit.googleapis.com/v1/projects/"
    private static let toolkit2 = "/identitytoolkit.googleapis.com/v2/projects/"

    /// Finds a path; `nil` if it is none of the admin API. Paths are compared byte by byte, undecoded.
    /// - Parameter path: The raw path, without the query.
    init?(path: String) {
        let bytes = path.utf8
        guard bytes.starts(with: Self.toolkit1.utf8) || bytes.starts(with: Self.toolkit2.utf8) else { return nil }
        // Both are as long as each other.
        let rest = path[bytes.index(bytes.startIndex, offsetBy: Self.toolkit1.utf8.count)...]
        let mark = rest.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") } ?? rest.endIndex
        projectID = rest[..<mark]
        let end = rest[mark...]
        let isFirst = bytes.starts(with: Self.toolkit1.utf8)
        operation =
            AdminOperation.allCases.first { known in isFirst && known.pathEnd.map(end.hasSameBytes(as:)) == true }
            ?? .unsupported
    }

    /// The path of an operation of a project; `nil` for what is not offered.
    static func path(of operation: AdminOperation, projectID: String) -> String? {
        operation.pathEnd.map { toolkit1 + projectID + $0 }
    }
}
