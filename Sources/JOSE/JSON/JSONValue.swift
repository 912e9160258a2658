// SPDX-License-Identifier: Apache-2.0

/// A JSON value (RFC 8259 section 3).
///
/// Equality is by value: numbers numerically, strings and names code point by code point, objects in any order.
package enum JSONValue: Sendable {
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

    /// A string of ours.
    package static func string(_ text: String) -> JSONValue { .text(WireText(text)) }

    /// The string, if it is one.
    package var text: WireText? {
        guard case .text(let value) = self else { return nil }
        return value
    }

    /// The truth value, if it is one. The strings `"true"` and `"false"` are strings.
    package var boolValue: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The number, if it is one.
    package var numberValue: JSONNumber? {
        guard case .number(let value) = self else { return nil }
        return value
    }

    /// The object, if it is one.
    package var objectValue: JSONObject? {
        guard case .object(let value) = self else { return nil }
        return value
    }

    /// The elements, if it is an array.
    package var arrayValue: [JSONValue]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    /// The number, if it is a whole one between -2^53 and 2^53: what every JSON reader agrees on (RFC 8259 section 6).
    package var integerValue: Int64? {
        guard let integer = numberValue?.integer, integer.magnitude <= JSONNumber.exactDoubleBound.magnitude else {
            return nil
        }
        return integer
    }

    /// Whole seconds since 1970 of a NumericDate (RFC 7519 section 2), a fraction cut off.
    ///
    /// `nil` for anything but a number, for a negative one, and for one above 2^53 - 1, infinity included: converting
    /// never traps, whatever stands in a token.
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

extension JSONValue: Hashable {
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.text(let left), .text(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null:
            hasher.combine(0)
        case .bool(let value):
            hasher.combine(1)
            hasher.combine(value)
        case .number(let value):
            hasher.combine(2)
            hasher.combine(value)
        case .text(let value):
            hasher.combine(3)
            hasher.combine(value)
        case .array(let value):
            hasher.combine(4)
            hasher.combine(value)
        case .object(let value):
            hasher.combine(5)
            hasher.combine(value)
        }
    }
}
