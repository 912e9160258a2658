// SPDX-License-Identifier: Apache-2.0

/// A complete HTTP/1.1 message (RFC 9112), with the requested header fields.
package struct HTTP1Message: Sendable, Hashable {
    /// A header field.
    package struct Field: Sendable, Hashable {
        /// The name in lower case.
        package let name: String
        /// The value without surrounding white space.
        package let value: String

        /// Creates a field.
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The request line or the status line.
    package var startLine: String
    /// The status of a response; 0 for a request, and if the line has none.
    package var status: Int
    /// The requested fields, in order.
    package var fields: [Field]
    /// The body, with transfer coding removed.
    package var body: [UInt8]
    /// Whether the connection cannot be used after this message.
    package var isLast: Bool

    /// Returns the status in a status line; 0 if the line has none.
    static func status(in line: String) -> Int {
        let words = line.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2)
        return words.count > 1 ? Int(Substring(words[1])) ?? 0 : 0
    }

    /// Returns the first value of a field, by its name in lower case.
    package func first(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Returns all values of a field, by its name in lower case.
    package func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
}
