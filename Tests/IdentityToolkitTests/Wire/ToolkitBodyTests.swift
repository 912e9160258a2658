// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

@testable import IdentityToolkit

/// How the members of a body are read, from any writer.
struct ToolkitBodyTests {
    private enum Fruit: String, RegisteredName {
        case unspecified = "FRUIT_UNSPECIFIED"
        case apple = "APPLE"
        case pear = "PEAR"
    }

    private func code<Value>(_ body: () throws -> Value) throws -> ToolkitError.Code? { try WireSupport.code(body) }

    private func text(_ json: String) throws -> String? {
        try WireSupport.body(json).text(.idToken)?.makeString()
    }

    @Test(
        arguments: [
            (#"{"idToken":"t"}"#, "t"),
            (#"{"id_token":"t"}"#, "t"),
            (#" { "other" : [ {} , null ] , "idToken" : "\u0074" } "#, "t"),
            (#"{"idToken":null}"#, nil),
            (#"{"id_token":null}"#, nil),
            (#"{"idToken":""}"#, nil),
            (#"{}"#, nil),
            ("", nil),
            (#"{"IDToken":"t","idtoken":"t","ID_TOKEN":"t"}"#, nil),
            (#"{"idToken":3}"#, "3"),
            (#"{"idToken":-0.50}"#, "-0.50"),
            (#"{"idToken":123456789012345678901234567890}"#, "123456789012345678901234567890"),
            (#"{"idToken":"\u0000\ufffd"}"#, "\0\u{FFFD}"),
        ] as [(String, String?)])
    func `a text, in either spelling`(json: String, expected: String?) throws {
        #expect(try text(json) == expected)
    }

    @Test(arguments: [
        #"{"idToken":true}"#, #"{"idToken":["t"]}"#, #"{"idToken":{"t":1}}"#,
        #"{"idToken":"t","id_token":"t"}"#, #"{"idToken":null,"id_token":"t"}"#, #"{"id_token":null,"idToken":"t"}"#,
        #"{"idToken":"t","idToken":"t"}"#, #"{"idToken":"t","\u0069dToken":"t"}"#, #"{"idToken":"t","x":1,"x":1}"#,
        #"{"idToken":"t","x":{"y":1,"y":1}}"#,
        "[]", "null", "7", "\"t\"", " ", "{", #"{"idToken":"t"}x"#, #"{"idToken":"\ud800"}"#,
        "\u{FEFF}{\"idToken\":\"t\"}", "id_token=t",
    ])
    func `what is ambiguous, or no object, is refused`(json: String) throws {
        let error = try WireSupport.error { try text(json) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.utf8.starts(with: "INVALID_ARGUMENT : ".utf8) == true)
    }

    @Test func `bytes that are not UTF-8 are refused`() throws {
        let bytes: [UInt8] = Array("{\"idToken\":\"".utf8) + [0xFF] + Array("\"}".utf8)
        #expect(try code { try ToolkitBody(json: bytes) } == .invalidArgument)
    }

    @Test func `64 KB are read, one byte more is not`() throws {
        let frame = #"{"idToken":""}"#.utf8.count
        let value = String(repeating: "x", count: ToolkitBody.maximumBytes - frame)
        #expect(try text(#"{"idToken":"\#(value)"}"#) == value)
        #expect(try code { try text(#"{"idToken":"\#(value)x"}"#) } == .invalidArgument)
        #expect(try code { try ToolkitBody(form: Array("refresh_token=\(value)".utf8)) } == nil)
        let long = String(repeating: "x", count: ToolkitBody.maximumBytes)
        #expect(try code { try ToolkitBody(form: Array("refresh_token=\(long)".utf8)) } == .invalidArgument)
        #expect(ToolkitBody.maximumBytes == 65_536)
    }

    @Test func `a depth of 32 is read, 33 is not`() throws {
        // The object counts as one.
        func nested(_ count: Int) -> String {
            #"{"idToken":"t","x":"# + String(repeating: "[", count: count) + String(repeating: "]", count: count) + "}"
        }
        #expect(try text(nested(31)) == "t")
        #expect(try code { try text(nested(32)) } == .invalidArgument)
        #expect(try code { try text(nested(10_000)) } == .invalidArgument)
    }

    @Test(
        arguments: [
            (#"{"displayName":"Ada"}"#, "Ada"), (#"{"display_name":"Ada"}"#, "Ada"), (#"{"displayName":null}"#, ""),
            (#"{"display_name":null}"#, ""), (#"{"displayName":""}"#, ""), (#"{}"#, nil),
        ] as [(String, String?)])
    func `null clears where it is said to`(json: String, expected: String?) throws {
        #expect(try WireSupport.body(json).clearableText(.displayName)?.makeString() == expected)
    }

    @Test(
        arguments: [
            ("true", true), ("false", false), ("\"true\"", true), ("\"false\"", false), ("null", nil),
        ] as [(String, Bool?)])
    func `a Boolean value`(value: String, expected: Bool?) throws {
        #expect(try WireSupport.body(#"{"autoCreate":\#(value)}"#).flag(.autoCreate) == expected)
        #expect(try WireSupport.body(#"{"auto_create":\#(value)}"#).flag(.autoCreate) == expected)
    }

    @Test(arguments: ["1", "0", "\"1\"", "\"\"", "\"True\"", "[]", "{}"])
    func `no Boolean value`(value: String) throws {
        #expect(
            try code { try WireSupport.body(#"{"autoCreate":\#(value)}"#).flag(.autoCreate) } == .invalidArgument)
    }

    @Test(arguments: ["\"PEAR\"", "2", "\"2\"", "\"002\""])
    func `an enumeration by its name, its index, or the text of the index`(value: String) throws {
        #expect(try WireSupport.body(#"{"tokenType":\#(value)}"#).choice(.tokenType, of: Fruit.self) == .pear)
        #expect(try WireSupport.body(#"{"token_type":\#(value)}"#).choice(.tokenType, of: Fruit.self) == .pear)
        let list = try WireSupport.body(#"{"deleteAttribute":["APPLE",\#(value),0]}"#)
        #expect(try list.choices(.deleteAttribute, of: Fruit.self) == [.apple, .pear, .unspecified])
    }

    @Test(arguments: [
        "\"pear\"", "\"PEAR \"", "3", "-1", "\"-1\"", "\"+2\"", "2.5", "2.0", "99999999999999999999", "\"\"", "true",
        "[]", "\"0x2\"", "\"\u{0662}\"",
    ])
    func `no value of an enumeration`(value: String) throws {
        #expect(
            try code {
                try WireSupport.body(#"{"tokenType":\#(value)}"#).choice(.tokenType, of: Fruit.self)
            } == .invalidArgument)
    }

    @Test func `arrays have up to a hundred elements`() throws {
        func texts(_ value: String) throws -> [String] {
            try WireSupport.body(#"{"deleteProvider":\#(value)}"#).texts(.deleteProvider).map { $0.makeString() }
        }
        #expect(try texts(#"["apple.com",7]"#) == ["apple.com", "7"])
        #expect(try texts("[]").isEmpty)
        #expect(try texts("null").isEmpty)
        func array(_ count: Int) -> String { "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]" }
        #expect(try texts(array(100)).count == 100)
        for value in [array(101), "\"apple.com\"", "{}", "[null]", "[[]]", "[true]"] {
            #expect(try code { try texts(value) } == .invalidArgument, "\(value)")
        }
    }

    @Test func `a form is for the token endpoint, and told by its type`() throws {
        func refreshToken(_ text: String, _ contentType: String?) throws -> String? {
            try ToolkitBody(tokenRequest: Array(text.utf8), contentType: contentType).text(.refreshToken)?.makeString()
        }
        let form = "application/x-www-form-urlencoded"
        #expect(try refreshToken("grant_type=refresh_token&refresh_token=a%2Bb", form) == "a+b")
        #expect(try refreshToken("refresh_token=t", "\(form); charset=UTF-8") == "t")
        #expect(try refreshToken("refresh_token=t", "Application/X-WWW-Form-URLEncoded") == "t")
        #expect(try refreshToken("refreshToken=t", form) == "t")
        #expect(try refreshToken(#"{"refreshToken":"t"}"#, "application/json") == "t")
        #expect(try refreshToken(#"{"refresh_token":"t"}"#, nil) == "t")
        #expect(try refreshToken("", form) == nil)
        for text in ["refresh_token=t&refresh_token=t", "x=1&x=1&refresh_token=t", "refresh_token=%", "x=ü"] {
            #expect(try code { try refreshToken(text, form) } == .invalidArgument, "\(text)")
        }
        #expect(try code { try refreshToken("refreshToken=t&refresh_token=t", form) } == .invalidArgument)
        #expect(try code { try refreshToken("refresh_token=t", "application/json") } == .invalidArgument)
        let many = (0...100).map { "p\($0)=1" }.joined(separator: "&")
        #expect(try code { try refreshToken(many, form) } == .invalidArgument)
    }

    @Test func `there are no tenants`() throws {
        for json in [#"{"tenantId":"t"}"#, #"{"tenant_id":"t"}"#, #"{"tenantId":7}"#] {
            #expect(
                try code { try WireSupport.body(json).refuseTenant() } == .unsupportedTenantOperation, "\(json)")
        }
        for json in ["{}", #"{"tenantId":null}"#, #"{"tenantId":""}"#] {
            #expect(try code { try WireSupport.body(json).refuseTenant() } == nil, "\(json)")
        }
    }
}
