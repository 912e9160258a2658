// SPDX-License-Identifier: Apache-2.0

/// A change of one attribute of an account.
public enum AttributeChange: Sendable, Hashable {
    case keep
    case clear
    /// An empty text clears it.
    case set(String)

    /// The value of the attribute after the change.
    package func applied(to value: String?) -> String? {
        switch self {
        case .keep: value
        case .clear: nil
        case .set(let text): text.isEmpty ? nil : text
        }
    }
}
