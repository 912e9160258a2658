// SPDX-License-Identifier: Apache-2.0

/// The fields of an answer to `INFO`.
struct ValkeyInfo {
    private var fields: [String: String] = [:]

    /// The maximum length of a line that is read, in bytes.
    private static let longestLine = 256

    /// Reads lines of a name, a colon and a value. Headings, long lines and others are left out.
    init(_ text: [UInt8]) {
        let lines = text.split { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
        for line in lines where line.first != UInt8(ascii: "#") && line.count <= Self.longestLine {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = String(decoding: line[..<colon], as: UTF8.self)
            fields[name] = String(decoding: line[colon...].dropFirst(), as: UTF8.self)
        }
    }

    /// The value of a field; `nil` if there is none.
    subscript(name: String) -> String? { fields[name] }
}
