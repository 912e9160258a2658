// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A path of the admin API: everything that stands under a project.
///
/// The token of the operator may stand in front of it, as one segment: the admin SDKs put whatever they were told of an
/// emulator's host there, and have no other place for a token.
struct AdminPath: Sendable {
    /// The first segment, which is the token if the request is an operator's; `nil` if the path begins with the API.
    let token: Substring?
    /// The ID of the project, as it was received.
    let projectID: Substring
    /// The operation.
    let operation: AdminOperation

    private static let toolkit1 = "/identitytoolkit.googleapis.com/v1/projects/"
    private static let toolkit2 = "/identitytoolkit.googleapis.com/v2/projects/"

    /// Finds a path; `nil` if it does not belong to the admin API. Paths are compared byte by byte, undecoded.
    /// - Parameter path: The raw path, without the query.
    init?(path whole: String) {
        var path = whole[...]
        var token: Substring?
        if !Self.isOfAPI(path) {
            let first = path.utf8.dropFirst()
            guard path.utf8.first == UInt8(ascii: "/"), let end = first.firstIndex(of: UInt8(ascii: "/")) else {
                return nil
            }
            token = path[first.startIndex..<end]
            path = path[end...]
            guard Self.isOfAPI(path) else { return nil }
        }
        self.token = token
        let bytes = path.utf8
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

    private static func isOfAPI(_ path: Substring) -> Bool {
        path.utf8.starts(with: toolkit1.utf8) || path.utf8.starts(with: toolkit2.utf8)
    }

    /// The path of an operation of a project; `nil` for what is not offered.
    static func path(of operation: AdminOperation, projectID: String) -> String? {
        operation.pathEnd.map { toolkit1 + projectID + $0 }
    }
}
