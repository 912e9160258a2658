// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A query or form, read and written by Foundation: not by the code under test.
struct Query {
    let pairs: [(name: String, value: String)]

    init(_ text: some StringProtocol) {
        let items = URLComponents(string: "https://query.invalid/?" + text)?.queryItems ?? []
        pairs = items.map { ($0.name, $0.value ?? "") }
    }

    /// The value of a parameter that stands there exactly once.
    subscript(name: String) -> String? {
        let values = pairs.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }

    var names: [String] { pairs.map(\.name) }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    static func encode(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    static func encode(_ pairs: [(String, String)]) -> String {
        pairs.map { encode($0.0) + "=" + encode($0.1) }.joined(separator: "&")
    }
}
