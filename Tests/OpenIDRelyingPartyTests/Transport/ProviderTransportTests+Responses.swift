// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty
import Testing
import TestingSupport

// What is taken of a response.

extension ProviderTransportTests {
    @Test(arguments: TransportKind.allCases)
    func `a response arrives whole: status, type and body`(kind: TransportKind) async throws {
        try await ScriptedServer.run({ _ in
            .send([TestRequest.response(#"{"a":1}"#, status: "418 Teapot", fields: ["Content-Type: application/json"])])
        }) { server in
            let response = try await withTransport(kind) {
                try await TestRequest.execute($0, server.url + "/path?x=1%20&y")
            }
            #expect(response.status == 418)
            #expect(response.contentType == "application/json")
            #expect(String(buffer: response.body) == #"{"a":1}"#)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `a response in pieces and chunks arrives whole`(kind: TransportKind) async throws {
        let pieces = [
            "HTTP/1.1 200 OK\r\nTransfer-Enco", "ding: chunked\r\n\r\n", "5\r\nhel", "lo\r\n7\r\n, world\r\n", "0\r\n",
            "\r\n",
        ]
        try await ScriptedServer.run({ _ in .send(pieces) }) { server in
            let response = try await withTransport(kind) { try await TestRequest.execute($0, server.url) }
            #expect(response.status == 200)
            #expect(response.contentType == nil)
            #expect(String(buffer: response.body) == "hello, world")
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `what says for how long a response is good, or when to come back, arrives`(kind: TransportKind) async throws {
        try await ScriptedServer.run({ request in
            switch request.line {
            case "GET /document HTTP/1.1":
                .send([
                    TestRequest.response(
                        "", fields: ["Cache-Control: public", "Cache-Control: max-age=5", "Retry-After: 7"])
                ])
            case "POST /form HTTP/1.1":
                .send([
                    TestRequest.response("", status: "429 Slow", fields: ["Cache-Control: no-store", "Retry-After: 7"])
                ])
            default:
                .send([
                    TestRequest.response("", status: "503 Down", fields: ["Retry-After: Fri, 15 Jan 2027 08:00:00 GMT"])
                ])
            }
        }) { server in
            try await withTransport(kind) { transport in
                let document = try await TestRequest.execute(transport, server.url + "/document")
                #expect(document.cacheControl == "public,max-age=5")
                #expect(document.retryAfter == nil)
                let form = try await TestRequest.execute(transport, server.url + "/form", form: "a=1")
                #expect(form.cacheControl == nil)
                #expect(form.retryAfter == "7")
                let down = try await TestRequest.execute(transport, server.url + "/down")
                #expect(down.cacheControl == nil)
                #expect(down.retryAfter == "Fri, 15 Jan 2027 08:00:00 GMT")
            }
        }
    }

    @Test(
        .attack(.hostileDiscovery),
        arguments: TransportKind.allCases,
        ["301 Moved", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect"])
    func `a redirect is a response and not a way`(kind: TransportKind, status: String) async throws {
        try await ScriptedServer.run({ _ in
            .send([TestRequest.response("", status: status, fields: ["Location: /elsewhere"])])
        }) { server in
            try await withTransport(kind) { transport in
                let get = try await TestRequest.execute(transport, server.url + "/a")
                let post = try await TestRequest.execute(transport, server.url + "/b", form: "code=c")
                #expect("\(get.status)" == status.prefix(3))
                #expect("\(post.status)" == status.prefix(3))
            }
            #expect(server.requests.map(\.line) == ["GET /a HTTP/1.1", "POST /b HTTP/1.1"])
        }
    }

    @Test(
        .attack(.hostileDiscovery), arguments: TransportKind.allCases,
        ["gzip", "deflate", "br", "GZIP", "identity, gzip"])
    func `an encoded response is refused`(kind: TransportKind, encoding: String) async throws {
        try await ScriptedServer.run({ _ in
            .send([TestRequest.response("x", fields: ["Content-Encoding: \(encoding)"])])
        }) { server in
            await #expect(throws: ProviderTransportError.encoded) {
                try await withTransport(kind) { try await TestRequest.execute($0, server.url) }
            }
        }
    }

    @Test(.attack(.hostileDiscovery), arguments: TransportKind.allCases)
    func `an encoding in a second field is refused too`(kind: TransportKind) async throws {
        let fields = ["Content-Encoding: identity", "Content-Encoding: gzip"]
        try await ScriptedServer.run({ _ in .send([TestRequest.response("x", fields: fields)]) }) { server in
            await #expect(throws: ProviderTransportError.encoded) {
                try await withTransport(kind) { try await TestRequest.execute($0, server.url) }
            }
        }
    }

    @Test(arguments: TransportKind.allCases, ["Content-Encoding", "Content-Type", "X-Other"])
    func `a field above 16 KB is refused before it is read`(kind: TransportKind, name: String) async throws {
        let marks = String(repeating: "\u{0345}\u{0301}", count: 4096)
        let response = TestRequest.response("x", fields: ["\(name): \(marks)"])
        try await ScriptedServer.run({ _ in .send([response]) }) { server in
            await #expect(throws: ProviderTransportError.tooLarge) {
                try await withTransport(kind) { try await TestRequest.execute($0, server.url) }
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `a field of 16 KB is taken`(kind: TransportKind) async throws {
        let name = "X-Other"
        let field = "\(name): " + String(repeating: "a", count: ProviderResponse.longestField - name.utf8.count)
        try await ScriptedServer.run({ _ in .send([TestRequest.response("x", fields: [field])]) }) { server in
            let response = try await withTransport(kind) { try await TestRequest.execute($0, server.url) }
            #expect(response.status == 200)
        }
    }

    @Test(arguments: TransportKind.allCases, ["Content-Encoding", "Content-Type", "X-Other"])
    func `a head above 32 KB is refused before it is read`(kind: TransportKind, name: String) async throws {
        let marks = String(repeating: "\u{0345}\u{0301}", count: 2800)
        let fields = ["\(name): \(marks)", "X-Second: \(marks)", "X-Third: \(marks)"]
        let response = TestRequest.response("x", fields: fields)
        try await ScriptedServer.run({ _ in .send([response]) }) { server in
            await #expect(throws: ProviderTransportError.tooLarge) {
                try await withTransport(kind) { try await TestRequest.execute($0, server.url) }
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `the encoding that is none is taken`(kind: TransportKind) async throws {
        let fields = ["Content-Encoding: Identity"]
        try await ScriptedServer.run({ _ in .send([TestRequest.response("x", fields: fields)]) }) { server in
            let response = try await withTransport(kind) { try await TestRequest.execute($0, server.url) }
            #expect(String(buffer: response.body) == "x")
        }
    }

    @Test(.attack(.hostileDiscovery), arguments: TransportKind.allCases)
    func `a response may be as long as the limit and no longer`(kind: TransportKind) async throws {
        let fitting = String(repeating: "x", count: TestRequest.limit)
        let chunks: @Sendable (Int) -> [String] = { count in
            ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"]
                + (0..<count).map { _ in "80\r\n" + String(repeating: "x", count: 128) + "\r\n" } + ["0\r\n\r\n"]
        }
        try await ScriptedServer.run({ request in
            switch request.line {
            case "GET /fitting HTTP/1.1": .send([TestRequest.response(fitting)])
            case "GET /long HTTP/1.1": .send([TestRequest.response(fitting + "x")])
            case "GET /announced HTTP/1.1": .send(["HTTP/1.1 200 OK\r\nContent-Length: 1025\r\n\r\n"])
            case "GET /chunks HTTP/1.1": .send(chunks(8))
            default: .send(chunks(9))
            }
        }) { server in
            for path in ["/fitting", "/chunks"] {
                let response = try await withTransport(kind) { try await TestRequest.execute($0, server.url + path) }
                #expect(response.body.readableBytes == TestRequest.limit)
            }
            for path in ["/long", "/announced", "/more-chunks"] {
                await #expect(throws: ProviderTransportError.tooLarge) {
                    try await withTransport(kind) { try await TestRequest.execute($0, server.url + path) }
                }
            }
        }
    }

    @Test(.attack(.hostileDiscovery), arguments: TransportKind.allCases)
    func `a body that never ends is refused at the limit`(kind: TransportKind) async throws {
        let endless = ["HTTP/1.1 200 OK\r\n\r\n"] + (0..<9).map { _ in String(repeating: "x", count: 128) }
        try await ScriptedServer.run({ _ in .send(endless) }) { server in
            await #expect(throws: ProviderTransportError.tooLarge) {
                try await withTransport(kind) { try await TestRequest.execute($0, server.url) }
            }
        }
    }
}
