// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
    /// Whether this stands for an absent member where a member is optional: `null`, an empty string or an empty array.
    /// Many servers write what they do not have in one of these ways.
    package var isBlank: Bool {
        switch self {
        case .null: true
        case .text(let text): text.isEmpty
        case .array(let elements): elements.isEmpty
        case .bool, .number, .object: false
        }
    }
}

extension JSONObject {
    /// The value of an optional member; `nil` if it is absent or blank (`isBlank`).
    package func present(_ name: String) -> JSONValue? {
        guard let value = self[name], !value.isBlank else { return nil }
        return value
    }
}
