// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

@Suite struct JSONObjectTests {
    private func parse(_ text: some Sequence<UInt8>) throws -> JSONObject {
        try JSONParser.object(Array(text), limits: JSONLimits(maximumBytes: 65_536))
    }

    @Test func `members are removed all at once, and the others are found where they are`() {
        var object = JSONObject()
        for number in 0..<40 { object["member\(number)"] = .number(JSONNumber(Int64(number))) }
        object.removeMembers { $0.makeString().hasSuffix("3") || $0 == "member0" }
        #expect(object.count == 35)
        #expect(object["member3"] == nil)
        #expect(object["member0"] == nil)
        #expect(object["member39"] == 39)
        object.removeMembers { $0 != "member1" }
        #expect(object == ["member1": 1])
    }

    @Test func `written without whitespace in the order of the members`() {
        let object: JSONObject = ["b": 1, "a": ["x", true, .null], "c": ["z": "", "y": -5]]
        let text = String(decoding: object.serialized(), as: UTF8.self)
        #expect(text == #"{"b":1,"a":["x",true,null],"c":{"z":"","y":-5}}"#)
    }

    @Test func `what needs an escape gets one, and comes back`() throws {
        let hostile = "\"\\\u{0}\u{1F}\n\u{7F}é😀</script>\u{2028}"
        let object: JSONObject = [hostile: .string(hostile)]
        let text = object.serialized()
        #expect(String(decoding: text, as: UTF8.self).contains(#"\"\\\u0000\u001f\u000a"#))
        #expect(try parse(text) == object)
    }

    @Test func `set, replace and remove`() {
        var object: JSONObject = ["a": 1, "b": 2]
        object["c"] = 3
        object["a"] = "x"
        object["b"] = nil
        object["nothing"] = nil
        #expect(object.members.map { $0.name.makeString() } == ["a", "c"])
        #expect(object["a"] == "x")
        #expect(object["b"] == nil)
        #expect(object.count == 2)
    }

    @Test func `lookups stay right on both sides of the index`() {
        var object = JSONObject()
        for number in 0..<40 {
            object["k\(number)"] = .number(JSONNumber(Int64(number)))
        }
        object["k3"] = nil
        object["k39"] = "last"
        #expect(object.count == 39)
        #expect(object["k3"] == nil)
        #expect(object["k4"] == 4)
        #expect(object["k39"] == "last")
        for number in 4..<30 {
            object["k\(number)"] = nil
        }
        #expect(object.count == 13)
        #expect(object["k38"] == 38)
        #expect(object["k10"] == nil)
    }

    @Test func `equal in any order`() throws {
        let left: JSONObject = ["a": 1, "b": ["c": true]]
        let right: JSONObject = ["b": ["c": true], "a": 1]
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(left != ["a": 1])
        #expect(left != ["a": 1, "b": ["c": false]])
    }

    @Test func `strings that are only canonically equivalent are different`() {
        #expect("K" as JSONValue != "\u{212A}")
        #expect("\u{E9}" as JSONValue != "e\u{301}")
        #expect("K" as JSONValue == "K")
    }

    @Test func `of two members with one name in a literal the later stands`() {
        let object: JSONObject = ["a": 1, "a": 2]
        #expect(object.count == 1)
        #expect(object["a"] == 2)
    }

    @Test func `accessors give their kind only`() {
        let string: JSONValue = "true"
        #expect(string.boolValue == nil)
        #expect(string.text?.makeString() == "true")
        #expect((true as JSONValue).boolValue == true)
        #expect((true as JSONValue).text?.makeString() == nil)
        #expect(([1] as JSONValue).arrayValue == [1])
        #expect((["a": 1] as JSONValue).objectValue == ["a": 1])
        #expect((1 as JSONValue).objectValue == nil)
    }
}
