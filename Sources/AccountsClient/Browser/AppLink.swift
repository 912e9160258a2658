// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The link by which pages of the server come back to an app: `<scheme>://firebaseauth/link`. Its scheme follows from
/// an ID that the server and the `Info.plist` of the app know.
struct AppLink: Sendable, Hashable {
    /// The longest ID, in bytes.
    static let longestID = 128

    /// The parameter of a start that names the ID.
    let parameter: String
    let id: String
    let scheme: String

    /// The link without its query.
    var front: String { scheme + "://firebaseauth/link" }

    /// - Parameter id: A Google app ID, such as `1:123:ios:abc`, or an OAuth client ID, such as
    ///   `123-abc.apps.googleusercontent.com`.
    /// - Returns: `nil` if no scheme follows from it (RFC 3986 section 3.1).
    init?(id: String) {
        guard id.utf8.count <= Self.longestID, id.utf8.allSatisfy(Self.isAllowed) else { return nil }
        self.id = id
        if id.utf8.contains(UInt8(ascii: ":")) {
            parameter = "appId"
            scheme = "app-" + id.replacingOccurrences(of: ":", with: "-")
        } else {
            parameter = "clientId"
            scheme = id.components(separatedBy: ".").reversed().joined(separator: ".")
        }
        guard let first = scheme.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else {
            return nil
        }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-"): true
        default: false
        }
    }
}
