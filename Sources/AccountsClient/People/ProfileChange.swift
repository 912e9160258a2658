// SPDX-License-Identifier: Apache-2.0

/// A change of one attribute of an account.
public enum ProfileChange<Value: Sendable & Hashable>: Sendable, Hashable {
    /// The attribute stays as it is.
    case keep
    /// The attribute is removed.
    case clear
    /// The attribute gets another value.
    case set(Value)

    /// The value in a request: `nil` to leave it out, empty to remove the attribute.
    func requested(_ text: (Value) -> String) -> String? {
        switch self {
        case .keep: nil
        case .clear: ""
        case .set(let value): text(value)
        }
    }
}
