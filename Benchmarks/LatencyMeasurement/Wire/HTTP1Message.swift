// SPDX-License-Identifier: Apache-2.0

/// A whole HTTP/1.1 message (RFC 9112), with those of its fields that were asked for.
package struct HTTP1Message: Sendable, Hashable {
    /// A header field.
    package struct Field: Sendable, Hashable {
        /// Lower case.
        package let name: String
        /// Without the white space around it.
        package let value: String

        /// A field.
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The request line or the status line.
    package var startLine: String
    /// The status of a response; 0 of a request, and where the line has none.
    package var status: Int
    /// The fields that were asked for, in their order.
    package var fields: [Field]
    /// The body, transfer coding taken off.
    package var body: [UInt8]
    /// Whether the connection is of no use after this message.
    package var isLast: Bool

    /// The status in a status line; 0 where the line has none.
    static func status(in line: String) -> Int {
        let words = line.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2)
        return words.count > 1 ? Int(Substring(words[1])) ?? 0 : 0
    }

    /// The first value of a field; the name in lower case.
    package func first(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// All values of a field; the name in lower case.
    package func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
}
