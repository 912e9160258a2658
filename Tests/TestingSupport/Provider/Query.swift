// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A query or form, read and written by Foundation: not by the code under test.
package struct Query: Sendable {
    package let pairs: [(name: String, value: String)]

    package init(_ text: some StringProtocol) {
        let items = URLComponents(string: "https://query.invalid/?" + text)?.queryItems ?? []
        pairs = items.map { ($0.name, $0.value ?? "") }
    }

    /// Of parameters that were read already.
    package init(_ pairs: [(name: String, value: String)]) { self.pairs = pairs }

    /// The value of a parameter that stands there exactly once.
    package subscript(name: String) -> String? {
        let values = pairs.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }

    package var names: [String] { pairs.map(\.name) }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    package static func encode(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    package static func encode(_ pairs: [(String, String)]) -> String {
        pairs.map { encode($0.0) + "=" + encode($0.1) }.joined(separator: "&")
    }
}
