// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing
import TestingSupport

@Suite struct FormURLEncodingTests {
    private func pairs(_ text: String) throws -> [[String]] {
        try FormURLEncoding.parse(text.utf8).texts.map { [$0.name, $0.value] }
    }

    @Test(
        arguments: [
            ("", []),
            ("&&&", []),
            ("a=1", [["a", "1"]]),
            ("a=1&b=2", [["a", "1"], ["b", "2"]]),
            ("&a=1&&b=2&", [["a", "1"], ["b", "2"]]),
            ("a", [["a", ""]]),
            ("a=", [["a", ""]]),
            ("=", [["", ""]]),
            ("=1", [["", "1"]]),
            ("a=b=c", [["a", "b=c"]]),
            ("a=1;b=2", [["a", "1;b=2"]]),
            ("a=1%3Bb=2", [["a", "1;b=2"]]),
            ("a=1%26b%3D2", [["a", "1&b=2"]]),
            ("a+b=c+d", [["a b", "c d"]]),
            ("a b=c d%20e", [["a b", "c d e"]]),
            ("a=%2B", [["a", "+"]]),
            ("a=%41%4a%4A", [["a", "AJJ"]]),
            ("%61=1", [["a", "1"]]),
            ("a=%C3%A4%E2%82%AC%F0%9F%98%80", [["a", "\u{E4}\u{20AC}\u{1F600}"]]),
            ("a=!$'()*,/:@~", [["a", "!$'()*,/:@~"]]),
        ] as [(String, [[String]])])
    func `reads pairs in their order`(text: String, expected: [[String]]) throws {
        #expect(try pairs(text) == expected)
    }

    @Test(
        .attack(.ambiguousEncoding),
        arguments: [
            ("a=%2541", "%41"),
            ("a=%252B", "%2B"),
            ("a=%25%34%31", "%41"),
            ("a=%253Cscript%253E", "%3Cscript%3E"),
        ])
    func `what is encoded twice is decoded once`(text: String, expected: String) throws {
        #expect(try FormURLEncoding.parse(text.utf8).text("a") == expected)
    }

    @Test(.attack(.ambiguousEncoding))
    func `an escaped NUL, CR or LF is a character like any other, for the parameter's own rule to refuse`()
        throws
    {
        #expect(try FormURLEncoding.parse("a=%00%0D%0A".utf8).text("a") == "\0\r\n")
    }

    @Test(
        .attack(.ambiguousEncoding),
        arguments: [
            "a=%", "a=%4", "a=%GG", "a=%4G", "a=%-1", "a=%+1", "a=% 1", "a=%u0041", "a=%%41", "%=1", "a%=1", "a=1&b=%",
        ])
    func `a bad escape is refused`(text: String) {
        #expect(throws: ParametersError.undecodable) { try FormURLEncoding.parse(text.utf8) }
    }

    @Test(
        .attack(.ambiguousEncoding),
        arguments: [
            "%C0%AF", "%C0%80", "%C1%BF", "%E0%80%AF", "%F0%80%80%AF", "%ED%A0%80", "%ED%BF%BF", "%F4%90%80%80", "%FF",
            "%FE", "%80", "%C3", "%E2%82", "%C3%28", "%F5%80%80%80",
        ])
    func `overlong, cut-off and impossible UTF-8 is refused`(escapes: String) {
        #expect(throws: ParametersError.undecodable) { try FormURLEncoding.parse("a=\(escapes)".utf8) }
        #expect(throws: ParametersError.undecodable) { try FormURLEncoding.parse("\(escapes)=a".utf8) }
    }

    @Test(
        .attack(.ambiguousEncoding), arguments: [0x00, 0x09, 0x0A, 0x0D, 0x1F, 0x7F, 0x80, 0xC3, 0xFF] as [UInt8])
    func `a byte that must be escaped is refused`(byte: UInt8) {
        let value: [UInt8] = [0x61, 0x3D, 0x62, byte]
        let name: [UInt8] = [byte, 0x3D, 0x62]
        #expect(throws: ParametersError.undecodable) { try FormURLEncoding.parse(value) }
        #expect(throws: ParametersError.undecodable) { try FormURLEncoding.parse(name) }
    }

    @Test func `what is only shown is empty where it cannot be decoded, and nothing else is`() throws {
        for value in ["%u00f3", "%E9", "%", "\u{E9}"] {
            let parameters = try FormURLEncoding.parse("a=1&note=\(value)&b=2".utf8, shown: "note")
            #expect(parameters.all.map { $0.value.makeString() } == ["1", "", "2"])
            for other in ["a=\(value)&note=1", "note\(value)=1", "Note=\(value)"] {
                #expect(throws: ParametersError.undecodable) { try FormURLEncoding.parse(other.utf8, shown: "note") }
            }
        }
        #expect(try FormURLEncoding.parse("note=%C3%B3".utf8, shown: "note").text("note") == "\u{F3}")
    }

    @Test func `a hundred parameters are read and one more is refused`() throws {
        let hundred = (1...100).map { "p\($0)=\($0)" }.joined(separator: "&")
        #expect(try FormURLEncoding.parse(hundred.utf8).all.count == 100)
        #expect(throws: ParametersError.tooMany) { try FormURLEncoding.parse((hundred + "&x").utf8) }
        // What is empty is not a parameter.
        #expect(try FormURLEncoding.parse((hundred + "&&&").utf8).all.count == 100)
        #expect(throws: ParametersError.tooMany) { try FormURLEncoding.parse("a&b".utf8, maximumParameters: 1) }
    }

    @Test func `writes pairs with everything but unreserved characters escaped`() {
        #expect(
            FormURLEncoding.encode([("a b", "1&2=3"), ("\u{E4}", "+/%"), ("-._~", "")])
                == "a%20b=1%262%3D3&%C3%A4=%2B%2F%25&-._~=")
        #expect(FormURLEncoding.encode([]).isEmpty)
        #expect(FormURLEncoding.percentEncode("p:\u{E4}/ %+") == "p%3A%C3%A4%2F%20%25%2B")
        #expect(FormURLEncoding.percentEncode("azAZ09-._~") == "azAZ09-._~")
        #expect(FormURLEncoding.percentEncode("\0\r\n\u{7F}") == "%00%0D%0A%7F")
    }

    @Test func `what was written is read again`() throws {
        let everyASCII = String((0...127).map { Character(UnicodeScalar($0)) })
        let pairs = [(everyASCII, "\u{1F600}"), ("=&+%", everyASCII)]
        let read = try FormURLEncoding.parse(FormURLEncoding.encode(pairs).utf8).texts
        #expect(read.map { Array($0.name.utf8) } == pairs.map { Array($0.0.utf8) })
        #expect(read.map { Array($0.value.utf8) } == pairs.map { Array($0.1.utf8) })
    }
}
