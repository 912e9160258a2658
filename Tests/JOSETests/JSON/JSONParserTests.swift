// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing
import TestingSupport

@Suite struct JSONParserTests {
    private func parse(_ text: String, depth: Int = 32) throws(JSONError) -> JSONValue {
        try parse(Array(text.utf8), depth: depth)
    }

    private func parse(_ bytes: [UInt8], depth: Int = 32) throws(JSONError) -> JSONValue {
        try JSONParser.parse(bytes, limits: JSONLimits(maximumBytes: 65_536, maximumDepth: depth))
    }

    @Test func `every kind of value`() throws {
        let value = try parse(
            " {\"a\" : [1, -2.5e1 ,true,false,null],\t\"b\":{},\r\n\"c\":[],\"d\":\"x\",\"e\":{\"f\":[[]]}} ")
        #expect(
            value == [
                "a": [1, -25, true, false, .null], "b": [:], "c": [], "d": "x", "e": ["f": [[]]],
            ])
        #expect(value.objectValue?.members.map { $0.name.makeString() } == ["a", "b", "c", "d", "e"])
    }

    @Test func `scalars stand alone`() throws {
        #expect(try parse("null") == .null)
        #expect(try parse(" true") == true)
        #expect(try parse("0") == 0)
        #expect(try parse("\"\"") == "")
    }

    @Test func `escapes`() throws {
        #expect(try parse(#""\"\\\/\b\f\n\r\t""#) == "\"\\/\u{8}\u{C}\n\r\t")
        #expect(try parse(#""a\u0041\u00e9\u20AC\uD83D\uDE00z""#) == "aA\u{E9}\u{20AC}\u{1F600}z")
        #expect(try parse(#""\u0000""#) == "\u{0}")
        #expect(try parse(#"{"\u0061":1}"#).objectValue?["a"] == 1)
    }

    @Test func `text beyond ASCII`() throws {
        #expect(try parse("\"Grüße 😀\"") == "Grüße 😀")
        #expect(try parse("\"ü\\n😀\"") == "ü\n😀")
    }

    @Test(arguments: [
        "", " ", "{", "}", "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}",
        "{a:1}",
        "{'a':1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "[}", "{]", "{\"a\":1]", "[1}", "{1:2}", "{null:1}", "tru", "truE",
        "nul",
        "True", "undefined", "NaN", "Infinity", "-Infinity", "1 2", "{}{}", "{} x", "[] ,", "\"a", "\"a\\", "\"a\\\"",
        "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\u", "\"\\u+123\"", "\"a\nb\"", "\"a\tb\"", "\"a\u{0}b\"",
        "\"\\n\u{1F}\"",
        "01", "-", "-01", "+1", "1.", ".5", "-.5", "1e", "1e+", "1E-", "0x10", "1_000", "1.e5", "--1", "1.5.5", "00",
        "// c\n1",
        "/* c */1", "\u{FEFF}{}", "{}\u{FEFF}", "{}\u{0}", "\u{A0}{}", "\u{B}1", "\u{C}1",
    ])
    func `what is not JSON is refused`(text: String) {
        #expect(throws: JSONError.syntax) { try parse(text) }
    }

    @Test(.attack(.duplicateJSONMember)) func `a member name used twice is refused, however it is escaped`() {
        #expect(throws: JSONError.duplicateMember) { try parse(#"{"iss":"a","iss":"b"}"#) }
        #expect(throws: JSONError.duplicateMember) { try parse(#"{"iss":"a","iss":"a"}"#) }
        #expect(throws: JSONError.duplicateMember) { try parse(#"{"iss":"a","\u0069ss":"b"}"#) }
        #expect(throws: JSONError.duplicateMember) { try parse(#"{"a":{"x":1,"y":2,"x":3}}"#) }
        #expect(throws: JSONError.duplicateMember) { try parse(#"[{"":1,"":2}]"#) }
    }

    @Test func `the same name in different objects is not a duplicate, nor a name that only looks the same`() throws {
        #expect(try parse(#"{"a":{"a":[{"a":1},{"a":2}]}}"#).objectValue?.count == 1)
        // Kelvin sign and K; composed and decomposed: Swift's == holds them equal, JSON does not.
        let object = try #require(try parse("{\"K\":1,\"\u{212A}\":2,\"\u{E9}\":3,\"e\u{301}\":4}").objectValue)
        #expect(object.count == 4)
        #expect(object["K"] == 1)
        #expect(object["\u{212A}"] == 2)
        #expect(object["e\u{301}"] == 4)
    }

    @Test(.attack(.duplicateJSONMember)) func `a duplicate among thousands of members is found`() throws {
        var members = (0..<4000).map { "\"a\($0)\":\($0)" }
        let object = try #require(try parse("{" + members.joined(separator: ",") + "}").objectValue)
        #expect(object.count == 4000)
        #expect(object["a3999"] == 3999)
        #expect(object["a4000"] == nil)
        members.append("\"a17\":0")
        #expect(throws: JSONError.duplicateMember) { try parse("{" + members.joined(separator: ",") + "}") }
    }

    @Test(
        .attack(.hostileJSON),
        arguments: [
            [0x80], [0xC3], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF],
            [0xF0, 0x9F, 0x98], [0xC3, 0x28],
        ] as [[UInt8]])
    func `invalid UTF-8 is refused`(sequence: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        #expect(throws: JSONError.invalidUTF8) { try parse([quote] + sequence + [quote]) }
        #expect(throws: JSONError.invalidUTF8) { try parse([quote] + Array("\\n".utf8) + sequence + [quote]) }
        #expect(throws: JSONError.invalidUTF8) { try parse(Array("{\"".utf8) + sequence + Array("\":1}".utf8)) }
        #expect(throws: JSONError.syntax) { try parse(sequence) }
    }

    @Test(
        .attack(.hostileJSON),
        arguments: [
            #""\uD800""#, #""\uDC00""#, #""\uDBFFx""#, #""\uD800\n""#, #""\uD800\uD800""#, #""\uDC00\uD800""#,
            #""\uD800\u0041""#,
        ])
    func `an escape of a lone surrogate is refused`(text: String) {
        #expect(throws: JSONError.loneSurrogate) { try parse(text) }
    }

    @Test(.attack(.hostileJSON)) func `nesting of 10,000 is refused without recursion`() {
        for unit in ["[", "{\"a\":", "[{\"a\":"] {
            let text = String(repeating: unit, count: 10_000)
            #expect(throws: JSONError.tooDeep) { try parse(text) }
            #expect(throws: JSONError.tooDeep) { try parse(text, depth: 1_000_000) }
        }
        let closed = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        #expect(throws: JSONError.tooDeep) { try parse(closed) }
    }

    @Test(.attack(.hostileJSON)) func `the depth limit is exact`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(try parse(nested(32)).arrayValue?.count == 1)
        #expect(throws: JSONError.tooDeep) { try parse(nested(33)) }
        #expect(try parse(nested(1), depth: 1) == [])
        #expect(throws: JSONError.tooDeep) { try parse("{\"a\":{}}", depth: 1) }
        #expect(try parse(nested(256), depth: 10_000).arrayValue?.count == 1)
        #expect(throws: JSONError.tooDeep) { try parse(nested(257), depth: 10_000) }
    }

    @Test func `64 KB are read, one byte more is refused`() throws {
        let long = Array("\"".utf8) + Array(repeating: UInt8(ascii: "a"), count: 65_534) + Array("\"".utf8)
        #expect(try parse(long).text?.makeString().utf8.count == 65_534)
        #expect(throws: JSONError.tooLong) { try parse(long + [0x20]) }
        let wide = "[" + String(repeating: "0,", count: 32_766) + "00"
        #expect(throws: JSONError.syntax) { try parse(wide) }
        let escapes = "\"" + String(repeating: "\\n", count: 32_767) + "\""
        #expect(try parse(escapes).text?.makeString().utf8.count == 32_767)
        #expect(throws: JSONError.numberTooLong) { try parse(String(repeating: "9", count: 65_536)) }
    }

    @Test func `cut off anywhere, a text is refused and never trusted`() throws {
        let text = Array(#"{"a":[1.5e3,"é\uD83D\uDE00",true,null,{"b":-0}],"c":"\\"}"#.utf8)
        #expect(try parse(text).objectValue?.count == 2)
        for length in 0..<text.count {
            #expect(throws: JSONError.self) { try parse(Array(text[..<length])) }
        }
    }

    @Test func `an object is asked for, something else is named`() {
        let limits = JSONLimits(maximumBytes: 100)
        #expect(throws: JSONError.notAnObject) { try JSONParser.object(Array("[]".utf8), limits: limits) }
        #expect(throws: JSONError.notAnObject) { try JSONParser.object(Array("\"{}\"".utf8), limits: limits) }
        #expect(throws: JSONError.syntax) { try JSONParser.object([], limits: limits) }
    }

    @Test func `an error tells the place and not the text`() throws {
        let error = try #require(throws: JSONError.self) { try parse(#"{"secret":"hunter2" "x"}"#) }
        #expect(error.offset == 20)
        #expect("\(error)" == "not JSON (at byte 20)")
    }
}
