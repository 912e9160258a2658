// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

/// An object as text.
struct JSONObjectTextTests {
    private static let objects: [JSONObject] = [[:], ["a": 1], ["a": 1, "b": ["c": [true, .null]]]]

    @Test(arguments: objects)
    func `what is appended stands behind what was there`(start: JSONObject) throws {
        var text = JSONObjectText(start)
        #expect(text.object == start)
        text.append("x", "\"}{,\\\u{1}\u{e9}")
        text.append("y", .min)
        text.append("z", .max)
        text.append("q\"", JSONObjectText(start))
        text.append("e", [:])
        var expected = start
        expected["x"] = "\"}{,\\\u{1}\u{e9}"
        expected["y"] = .number(JSONNumber(.min))
        expected["z"] = .number(JSONNumber(.max))
        expected["q\""] = .object(start)
        expected["e"] = [:]
        #expect(text.object == expected)
        #expect(text.bytes == expected.serialized())
    }

    @Test(arguments: ["", "{", "}", "[]", "{}x", " {}", "null"])
    func `bytes without braces are none`(text: String) {
        #expect(JSONObjectText(bytes: Array(text.utf8)) == nil)
    }

    @Test func `what is between the braces is read only when it is asked for`() throws {
        let text = try #require(JSONObjectText(bytes: Array("{nothing}".utf8)))
        #expect(text.object == nil)
        #expect(JSONObjectText(bytes: JSONObjectText(["a": "b"]).bytes) == ["a": "b"])
    }
}
