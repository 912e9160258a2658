// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// What one check found wrong: what it wanted and what it found, fit for a log line.
///
/// Issuers, audiences and times are shown; a nonce, a hash or the token itself never is.
public struct IDTokenFinding: Error, Sendable, Hashable, CustomStringConvertible {
    /// The check's name, for example `issuer`.
    public let check: String
    /// What the check wanted.
    public let wanted: String
    /// What it found.
    public let found: String

    package init(check: String, wanted: String, found: String) {
        self.check = check
        self.wanted = LogText.restricted(wanted, 256)
        self.found = LogText.restricted(found, 256)
    }

    public var description: String { "\(check): wanted \(wanted), found \(found)" }

    /// How a claim is named in a finding: its text where it is a short one, else its kind.
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
