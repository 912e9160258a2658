// SPDX-License-Identifier: Apache-2.0

extension JSONValue: ExpressibleByStringLiteral {
    /// Creates a string.
    package init(stringLiteral value: String) {
        self = .string(value)
    }
}

extension JSONValue: ExpressibleByStringInterpolation {}

extension JSONValue: ExpressibleByBooleanLiteral {
    /// Creates `true` or `false`.
    package init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    /// Creates a whole number.
    package init(integerLiteral value: Int64) {
        self = .number(JSONNumber(value))
    }
}

extension JSONValue: ExpressibleByArrayLiteral {
    /// Creates an array.
    package init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// Creates an object with the literal's members, in order. If a name occurs twice, the later value is used.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements))
    }
}
