// SPDX-License-Identifier: Apache-2.0

/// A JSON value (RFC 8259 section 3).
///
/// Values are compared by content: numbers numerically, strings and names code point by code point, objects in any
/// order of their members.
package enum JSONValue: Sendable, Hashable {
    /// The literal `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number.
    case number(JSONNumber)
    /// A string.
    case text(WireText)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)

    /// Creates a string from a trusted text.
    package static func string(_ text: String) -> JSONValue { .text(WireText(text)) }

    /// The string; `nil` if the value is not a string.
    package var text: WireText? {
        guard case .text(let value) = self else { return nil }
        return value
    }

    /// The Boolean value; `nil` if the value is not one. The strings `"true"` and `"false"` are not.
    package var boolValue: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The number; `nil` if the value is not a number.
    package var numberValue: JSONNumber? {
        guard case .number(let value) = self else { return nil }
        return value
    }

    /// The object; `nil` if the value is not an object.
    package var objectValue: JSONObject? {
        guard case .object(let value) = self else { return nil }
        return value
    }

    /// The elements; `nil` if the value is not an array.
    package var arrayValue: [JSONValue]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    /// The number if it is a whole number between -2^53 and 2^53, the range in which JSON implementations agree (RFC
    /// 8259 section 6); otherwise `nil`.
    package var integerValue: Int64? {
        guard let integer = numberValue?.integer, integer.magnitude <= JSONNumber.exactDoubleBound.magnitude else {
            return nil
        }
        return integer
    }

    /// The seconds since 1970 of a NumericDate (RFC 7519 section 2), truncated to whole seconds.
    ///
    /// `nil` if the value is not a number, is negative, or is above 2^53 - 1 (infinity is). The conversion never traps.
    package var secondsValue: Int64? {
        guard let number = numberValue else { return nil }
        let latest = JSONNumber.exactDoubleBound - 1
        if let integer = number.integer {
            return (0...latest).contains(integer) ? integer : nil
        }
        guard number.double >= 0, number.double < Double(JSONNumber.exactDoubleBound) else { return nil }
        return Int64(number.double)
    }
}
