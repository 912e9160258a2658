// SPDX-License-Identifier: Apache-2.0

/// An error of a store that says in words without secrets what is wrong.
package protocol SingleUseStoreFailure: Error {
    /// What happened, one of a closed list.
    var code: String { get }
    /// More about it, in words.
    var detail: String { get }
    /// Whether the server was reached and cannot be used as it is.
    var isRefusal: Bool { get }
}

extension SingleUseStoreFailure {
    /// The longest detail, in bytes.
    private static var longestDetail: Int { 200 }

    /// What happened and more about it, for a log.
    package var reason: String { detail.isEmpty ? code : "\(code): \(detail)" }

    /// Returns the printable beginning of a detail.
    package static func printable(_ detail: String) -> String {
        let printable = detail.utf8.lazy.filter { $0 >= 0x20 && $0 <= 0x7E }
        return String(decoding: Array(printable.prefix(longestDetail)), as: UTF8.self)
    }
}
