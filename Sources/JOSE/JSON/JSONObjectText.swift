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

    /// Reserves memory for members that will be appended, in bytes of text.
    package mutating func reserveCapacity(_ additional: Int) {
        bytes.reserveCapacity(bytes.count + additional)
    }

    /// Appends a member with a text. Its name must not exist yet.
    package mutating func append(_ name: String, _ value: String) {
        append(name) { $0.write(value) }
    }

    /// Appends a member with an integer. Its name must not exist yet.
    package mutating func append(_ name: String, _ value: Int64) {
        append(name) { $0.write(JSONNumber(value)) }
    }

    /// Appends a member with an object. Its name must not exist yet.
    package mutating func append(_ name: String, _ value: JSONObjectText) {
        append(name) { $0.write(value) }
    }

    private mutating func append(_ name: String, _ writeValue: (inout JSONWriter) -> Void) {
        // The text is moved into the writer and back, so that it is extended and not copied.
        let text = bytes
        bytes = []
        var writer = JSONWriter(reopening: consume text)
        writer.writeMember(name, writeValue)
        bytes = writer.bytes
    }
}

extension JSONObjectText: ExpressibleByDictionaryLiteral {
    /// Creates the text of an object with the literal's members, in order. If a name occurs twice, the later value is
    /// used.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(JSONObject(elements))
    }
}
