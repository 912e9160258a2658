// SPDX-License-Identifier: Apache-2.0

/// A JSON object as its serialized text, for objects that are stored and passed on without reading their members.
/// Members are appended without parsing the existing ones.
package struct JSONObjectText: Sendable, Hashable {
    /// The UTF-8 text, without whitespace.
    package private(set) var bytes: [UInt8]

    /// Creates the text of an object.
    package init(_ object: JSONObject) {
        bytes = object.serialized()
    }

    /// Restores a text from its ``bytes``; `nil` if they are not enclosed in braces. The content is not parsed, so the
    /// bytes must come from a source that no other party can write to, such as a sealed value.
    package init?(bytes: [UInt8]) {
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}") else { return nil }
        self.bytes = bytes
    }

    /// The parsed object; `nil` if the text is not an object.
    package var object: JSONObject? {
        // Two levels deeper than the limit for text from outside, since such text may be nested in this one.
        try? JSONParser.object(bytes, limits: JSONLimits(maximumBytes: 1 << 21, maximumDepth: 36))
    }

    /// Appends the members of an object. Their names must not exist yet.
    package mutating func append(_ object: JSONObject) {
        append(members: object.serialized().dropFirst().dropLast())
    }

    /// Appends one member. Its name must not exist yet.
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
    /// Creates the text of an object with the literal's members, in order. If a name occurs twice, the later value is
    /// used.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(JSONObject(elements))
    }
}
