// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The failure of a check, with the expected and the actual value in a form that is safe to log.
///
/// It shows issuers, audiences and times, but never a nonce, a hash or the token itself.
public struct IDTokenFinding: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the check, for example `issuer`.
    public let check: String
    /// The value that the check expected.
    public let wanted: String
    /// The value that the check found.
    public let found: String

    /// Creates a finding. Both values are made safe to log, and cut to 256 characters.
    package init(check: String, wanted: String, found: String) {
        self.check = check
        self.wanted = LogText.restricted(wanted, 256)
        self.found = LogText.restricted(found, 256)
    }

    public var description: String { "\(check): expected \(wanted), found \(found)" }

    /// Returns the description of a claim in a finding: its text if it is a short string, otherwise its type.
    package static func describe(_ value: JSONValue?) -> String {
        switch value {
        case nil: "nothing"
        case .null: "null"
        case .text(let text): "'\(text.makeString())'"
        case .number: value?.integerValue.map { "\($0)" } ?? "a number out of range"
        case .bool(let flag): flag ? "true" : "false"
        case .array(let values) where values.count <= 4 && values.allSatisfy { $0.text != nil }:
            "[" + values.compactMap(\.text).map { "'\($0.makeString())'" }.joined(separator: ", ") + "]"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
