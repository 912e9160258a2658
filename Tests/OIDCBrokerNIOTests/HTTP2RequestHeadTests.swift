// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOHPACK
import OIDCBroker
import Testing

@testable import OIDCBrokerHTTP
@testable import OIDCBrokerNIO

/// The heads of requests on HTTP/2 streams, valid and malformed.
@Suite struct HTTP2RequestHeadTests {
    private static let pseudo: [(String, String)] = [
        (":method", "POST"), (":scheme", "https"), (":authority", "auth.example.com"), (":path", "/__/auth/token?a=b"),
    ]

    private func head(
        _ fields: [(String, String)], endsStream: Bool = false
    ) throws(HTTP2RequestHead.Malformation) -> HTTP2RequestHead {
        try HTTP2RequestHead(HPACKHeaders(fields), endsStream: endsStream)
    }

    private func received(
        _ fields: [(String, String)], endsStream: Bool = false
    ) throws -> (request: BrokerRequest, framing: RequestFraming)? {
        let head = try head(Self.pseudo + fields, endsStream: endsStream)
        return HTTP2ServerParts.request(head, target: HTTP2ServerParts.target(of: head), isHTTP2: true)
    }

    @Test func `pseudo-header fields are taken out`() throws {
        let head = try head(Self.pseudo + [("cookie", "a=b")])
        #expect(head.method == .post)
        #expect(head.authority == "auth.example.com")
        #expect(head.path == "/__/auth/token?a=b")
        #expect(head.fieldCount == 1)
    }

    @Test func `the longest field is reckoned with its name, a pseudo-header field without`() throws {
        #expect(try head(Self.pseudo).longestField == "/__/auth/token?a=b".utf8.count)
        #expect(try head(Self.pseudo + [("x-long", "0123456789abcdef")]).longestField == 22)
    }

    @Test(arguments: [":method", ":scheme", ":authority", ":path"])
    func `a duplicate pseudo-header field is refused`(name: String) {
        let others = Self.pseudo.filter { $0.0 != name }
        #expect(throws: HTTP2RequestHead.Malformation.duplicate) { try head(others + [(name, "GET"), (name, "GET")]) }
    }

    @Test(arguments: [":status", ":", ":Method", ":path ", ":protocol", ":pat\u{68}\u{301}"])
    func `one that requests do not have is refused`(name: String) {
        #expect(throws: HTTP2RequestHead.Malformation.unknown) { try head(Self.pseudo + [(name, "1")]) }
    }

    @Test func `one behind another field is refused`() {
        #expect(throws: HTTP2RequestHead.Malformation.late) {
            try head([Self.pseudo[0], ("cookie", "a=b")] + Self.pseudo[1...])
        }
    }

    @Test func `without a method it is refused`() {
        #expect(throws: HTTP2RequestHead.Malformation.methodMissing) { try head(Array(Self.pseudo[1...])) }
        #expect(throws: HTTP2RequestHead.Malformation.methodMissing) { try head([]) }
    }

    @Test func `a tunnel is asked for by CONNECT and an authority alone`() throws {
        let tunnel = try head([(":method", "CONNECT"), (":authority", "a.example:443")])
        #expect(HTTP2ServerParts.isConnect(tunnel))
        #expect(HTTP2ServerParts.target(of: tunnel).path == "")
        for more in [(":path", "/"), (":scheme", "https")] {
            #expect(throws: HTTP2RequestHead.Malformation.targetUnusable) {
                try head([(":method", "CONNECT"), (":authority", "a.example:443"), more])
            }
        }
        #expect(throws: HTTP2RequestHead.Malformation.targetUnusable) { try head([(":method", "CONNECT")]) }
        #expect(try !HTTP2ServerParts.isConnect(head(Self.pseudo)))
    }

    @Test func `the broker gets the fields it reads, each as often as it came, and no others`() throws {
        let (request, framing) = try #require(
            try received([
                ("cookie", "a=b"), ("user-agent", "x"), ("cookie", "c=d"), ("origin", "null"), ("content-length", "3"),
            ]))
        #expect(request.headerFields[values: .cookie] == ["a=b", "c=d"])
        #expect(request.headerFields[values: .origin] == ["null"])
        #expect(request.headerFields[values: .contentLength] == ["3"])
        #expect(request.headerFields.count == 4)
        #expect(request.method == .post)
        #expect(request.path == "/__/auth/token?a=b")
        #expect(framing.isHTTP2 && !framing.isHTTP10 && framing.keepsConnection)
    }

    @Test(arguments: BrokerRequest.readFieldNames)
    func `every field that is read comes through`(name: HTTPField.Name) throws {
        let request = try #require(try received([(name.canonicalName, "value")])).request
        #expect(request.headerFields[values: name] == ["value"])
    }

    @Test func `the authority may be named twice, if it is the same`() throws {
        #expect(try received([])?.request.authority == "auth.example.com")
        #expect(try received([])?.framing.hasUsableAuthority == true)
        #expect(try received([("host", "auth.example.com")])?.framing.hasUsableAuthority == true)
        #expect(try received([("host", "other.example")])?.framing.hasUsableAuthority == false)
        #expect(
            try received([("host", "auth.example.com"), ("host", "auth.example.com")])?.framing.hasUsableAuthority
                == false)
    }

    @Test func `Host stands in for the pseudo-header field; without either there is no authority`() throws {
        let bare = [Self.pseudo[0], Self.pseudo[1], Self.pseudo[3]]
        for (fields, authority) in [(bare, nil), (bare + [("host", "a.example")], "a.example")] {
            let head = try head(fields)
            let received = HTTP2ServerParts.request(head, target: HTTP2ServerParts.target(of: head), isHTTP2: true)
            #expect(received?.request.authority == authority)
            #expect(received?.framing.hasUsableAuthority == (authority != nil))
        }
    }

    @Test func `a head that ends its stream has no body`() throws {
        let fields = [("expect", "100-continue")]
        let open = try #require(try received(fields)).framing
        #expect(open.mayHaveBody && open.expectsContinue)
        let ended = try #require(try received(fields, endsStream: true)).framing
        #expect(!ended.mayHaveBody && !ended.expectsContinue)
    }

    @Test(arguments: ["", "GE(T"])
    func `a method that is not a token is refused`(method: String) {
        #expect(throws: HTTP2RequestHead.Malformation.methodUnusable) {
            try head([(":method", method)] + Self.pseudo[1...])
        }
    }

    @Test(arguments: [":scheme", ":path"])
    func `without a scheme or a path it is refused`(name: String) {
        let others = Self.pseudo.filter { $0.0 != name }
        #expect(throws: HTTP2RequestHead.Malformation.targetUnusable) { try head(others) }
        #expect(throws: HTTP2RequestHead.Malformation.targetUnusable) { try head(others + [(name, "")]) }
    }

    /// 32 KB, in an order that takes the longest to bring into the canonical one.
    private static let marks = String(repeating: "\u{345}\u{301}\u{316}\u{31B}", count: 4_096)

    @Test(arguments: [":method", ":scheme", ":authority", ":path"])
    func `a pseudo-header field has no space, no control character and nothing beyond ASCII`(name: String) {
        let others = Self.pseudo.filter { $0.0 != name }
        for value in ["a b", "a\tb", "a\u{0}", "a\r\nb", "a\u{7F}", "\u{E9}", "a\u{301}", Self.marks] {
            #expect(throws: HTTP2RequestHead.Malformation.valueUnusable) { try head(others + [(name, value)]) }
        }
    }

    @Test(arguments: ["", "X-A", "x a", "x\u{0}", "x:", "\u{E9}", "\u{212A}eep-alive", "x\u{301}"])
    func `a name is a token in lower case`(name: String) {
        #expect(throws: HTTP2RequestHead.Malformation.fieldUnusable) { try head(Self.pseudo + [(name, "1")]) }
    }

    @Test(arguments: ["a\u{0}", "a\rb", "a\nb", " a", "a ", "\ta", "a\t"])
    func `a value has no line break and no white space at its ends`(value: String) {
        #expect(throws: HTTP2RequestHead.Malformation.fieldUnusable) { try head(Self.pseudo + [("x-a", value)]) }
    }

    @Test(arguments: ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"])
    func `a field of a connection is refused`(name: String) {
        #expect(throws: HTTP2RequestHead.Malformation.ofConnection) { try head(Self.pseudo + [(name, "trailers")]) }
    }

    @Test func `te says trailers or nothing`() throws {
        #expect(try head(Self.pseudo + [("te", "trailers")]).fieldCount == 1)
        for value in ["", "gzip", "trailers, gzip", "trailer\u{17F}", Self.marks] {
            #expect(throws: HTTP2RequestHead.Malformation.ofConnection) { try head(Self.pseudo + [("te", value)]) }
        }
    }

    @Test func `a length is a number, and one`() throws {
        #expect(try head(Self.pseudo + [("content-length", "3"), ("content-length", "3")]).contentLength == 3)
        #expect(try head(Self.pseudo).contentLength == nil)
        for values in [["-1"], ["+1"], [""], ["1", "2"], ["1", Self.marks], ["99999999999999999999"], ["\u{661}"]] {
            #expect(throws: HTTP2RequestHead.Malformation.lengthUnusable) {
                try head(Self.pseudo + values.map { ("content-length", $0) })
            }
        }
        #expect(throws: HTTP2RequestHead.Malformation.lengthUnusable) {
            try head(Self.pseudo + [("content-length", "1")], endsStream: true)
        }
    }

    @Test func `a field that is not compared may contain non-ASCII`() throws {
        #expect(try head(Self.pseudo + [("x-name", "Ren\u{E9}"), ("x-empty", "")]).fieldCount == 2)
    }
}
