// SPDX-License-Identifier: Apache-2.0

/// A JSON object as the text that was written of it here, for what is kept and handed on while nobody asks for a member:
/// members are appended without reading those that are there.
package struct JSONObjectText: Sendable, Hashable {
    /// The text, UTF-8, without whitespace.
    package private(set) var bytes: [UInt8]

    /// The text of an object.
    package init(_ object: JSONObject) {
        bytes = object.serialized()
    }

    /// What ``bytes`` was of a text from here; `nil` if it cannot have been. What is between the braces is not read:
    /// only for bytes that nobody else can have written, such as those that were sealed.
    package init?(bytes: [UInt8]) {
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}") else { return nil }
        self.bytes = bytes
    }

    /// The object, read; `nil` if it is none.
    package var object: JSONObject? {
        // Two deeper than what is read from outside, since it may stand in here.
        try? JSONParser.object(bytes, limits: JSONLimits(maximumBytes: 1 << 21, maximumDepth: 36))
    }

    /// Appends the members of an object, whose names must not be there yet.
    package mutating func append(_ object: JSONObject) {
        append(members: object.serialized().dropFirst().dropLast())
    }

    /// Appends one member, whose name must not be there yet.
    package mutating func append(_ name: String, _ value: JSONObjectText) {
        append(members: (JSONValue.string(name).serialized() + [UInt8(ascii: ":")] + value.bytes)[...])
    }

    private mutating func append(members: ArraySlice<UInt8>) {
        guard !members.isEmpty else { return }
        bytes.reserveCapacity(bytes.count + members.count + 1)
        bytes.removeLast()
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: members)
        bytes.append(UInt8(ascii: "}"))
    }
}

extension JSONObjectText: ExpressibleByDictionaryLiteral {
    /// Members in the literal's order; of two with one name the later value stands.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(JSONObject(elements))
    }
}
