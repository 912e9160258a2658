// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@Suite(.onSockets, .timeLimit(.minutes(10))) struct AsyncHTTPClientTransportTests {
    private static let limit = 1024

    /// Sends a request, on an event loop of the transport's group.
    private func execute(
        _ transport: AsyncHTTPClientTransport,
        _ url: String,
        authorization: String? = nil,
        form: String? = nil,
        timeout: TimeAmount = .seconds(30),
        addresses: ProviderTrust.Addresses = .any
    ) async throws -> ProviderResponse {
        let request = ProviderRequest(
            url: try #require(AbsoluteURL(url)), authorization: authorization, form: form,
            maximumResponseBytes: Self.limit, deadline: .now() + timeout,
            trust: ProviderTrust(certificateAuthorities: nil, addresses: addresses))
        return try await transport.execute(request, on: MultiThreadedEventLoopGroup.singleton.any()).get()
    }

    private static func answer(_ body: String, status: String = "200 OK", fields: [String] = []) -> String {
        let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + fields
        return head.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    @Test func `an answer arrives whole: status, type and body`() async throws {
        try await ScriptedServer.run({ _ in
            .send([Self.answer(#"{"a":1}"#, status: "418 Teapot", fields: ["Content-Type: application/json"])])
        }) { server in
            let response = try await withTransport { try await execute($0, server.url + "/path?x=1%20&y") }
            #expect(response.status == 418)
            #expect(response.contentType == "application/json")
            #expect(String(buffer: response.body) == #"{"a":1}"#)
        }
    }

    @Test func `an answer in pieces and chunks arrives whole`() async throws {
        let pieces = [
            "HTTP/1.1 200 OK\r\nTransfer-Enco", "ding: chunked\r\n\r\n", "5\r\nhel", "lo\r\n7\r\n, world\r\n", "0\r\n",
            "\r\n",
        ]
        try await ScriptedServer.run({ _ in .send(pieces) }) { server in
            let response = try await withTransport { try await execute($0, server.url) }
            #expect(response.status == 200)
            #expect(response.contentType == nil)
            #expect(String(buffer: response.body) == "hello, world")
        }
    }

    @Test func `a GET asks for JSON, for no encoding, and says no more than it must`() async throws {
        try await ScriptedServer.run({ _ in .send([Self.answer("")]) }) { server in
            _ = try await withTransport {
                try await execute($0, server.url + "/path?x=1%20&y", authorization: "Bearer token")
            }
            let request = try #require(server.requests.first)
            #expect(server.requests.count == 1)
            #expect(request.line == "GET /path?x=1%20&y HTTP/1.1")
            #expect(request.header("host") == ["127.0.0.1:\(server.port)"])
            #expect(request.header("accept") == ["application/json"])
            #expect(request.header("accept-encoding") == ["identity"])
            #expect(request.header("authorization") == ["Bearer token"])
            #expect(request.header("content-type") == [])
            #expect(request.header("cookie") == [])
            #expect(request.body.isEmpty)
        }
    }

    @Test func `a form is posted, head and body whole`() async throws {
        try await ScriptedServer.run({ _ in .send([Self.answer("")]) }) { server in
            let form = "grant_type=authorization_code&code=" + String(repeating: "c", count: 4096)
            _ = try await withTransport { try await execute($0, server.url + "/token", form: form) }
            let request = try #require(server.requests.first)
            #expect(request.line == "POST /token HTTP/1.1")
            #expect(request.header("content-type") == ["application/x-www-form-urlencoded"])
            #expect(request.header("content-length") == ["\(form.utf8.count)"])
            #expect(request.header("transfer-encoding") == [])
            #expect(request.header("authorization") == [])
            #expect(request.body == form)
        }
    }

    @Test func `what says for how long an answer is good, or when to come back, arrives`() async throws {
        try await ScriptedServer.run({ request in
            switch request.line {
            case "GET /document HTTP/1.1":
                .send([
                    Self.answer("", fields: ["Cache-Control: public", "Cache-Control: max-age=5", "Retry-After: 7"])
                ])
            case "POST /form HTTP/1.1":
                .send([Self.answer("", status: "429 Slow", fields: ["Cache-Control: no-store", "Retry-After: 7"])])
            default:
                .send([Self.answer("", status: "503 Down", fields: ["Retry-After: Fri, 15 Jan 2027 08:00:00 GMT"])])
            }
        }) { server in
            try await withTransport { transport in
                let document = try await execute(transport, server.url + "/document")
                #expect(document.cacheControl == "public,max-age=5")
                #expect(document.retryAfter == nil)
                let form = try await execute(transport, server.url + "/form", form: "a=1")
                #expect(form.cacheControl == nil)
                #expect(form.retryAfter == "7")
                let down = try await execute(transport, server.url + "/down")
                #expect(down.cacheControl == nil)
                #expect(down.retryAfter == "Fri, 15 Jan 2027 08:00:00 GMT")
            }
        }
    }

    @Test func `no request sees another's fields or form`() async throws {
        try await ScriptedServer.run({ request in .send([Self.answer(request.line)]) }) { server in
            try await withTransport { transport in
                let first = try await execute(transport, server.url + "/a", authorization: "Basic x", form: "a=1")
                let second = try await execute(transport, server.url + "/a")
                let third = try await execute(transport, server.url + "/a", form: "b=2")
                #expect(String(buffer: first.body) == "POST /a HTTP/1.1")
                #expect(String(buffer: second.body) == "GET /a HTTP/1.1")
                #expect(String(buffer: third.body) == "POST /a HTTP/1.1")
            }
            #expect(server.requests.map(\.body) == ["a=1", "", "b=2"])
            #expect(server.requests.map { $0.header("authorization") } == [["Basic x"], [], []])
        }
    }

    @Test func `requests on one event loop reuse its connection`() async throws {
        try await ScriptedServer.run({ _ in .send([Self.answer("x")]) }) { server in
            try await withTransport { transport in
                let loop = MultiThreadedEventLoopGroup.singleton.any()
                for _ in 1...2 {
                    let request = ProviderRequest(
                        url: try #require(AbsoluteURL(server.url)), maximumResponseBytes: Self.limit,
                        deadline: .now() + .seconds(30),
                        trust: ProviderTrust(certificateAuthorities: nil, addresses: .any))
                    let response = try await transport.execute(request, on: loop).get()
                    #expect(response.status == 200)
                }
            }
            #expect(server.requests.count == 2)
            #expect(server.connectionCount == 1)
        }
    }

    @Test(arguments: ["301 Moved", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect"])
    func `P1 a redirect is an answer and not a way`(status: String) async throws {
        try await ScriptedServer.run({ _ in
            .send([Self.answer("", status: status, fields: ["Location: /elsewhere"])])
        }) { server in
            try await withTransport { transport in
                let get = try await execute(transport, server.url + "/a")
                let post = try await execute(transport, server.url + "/b", form: "code=c")
                #expect("\(get.status)" == status.prefix(3))
                #expect("\(post.status)" == status.prefix(3))
            }
            #expect(server.requests.map(\.line) == ["GET /a HTTP/1.1", "POST /b HTTP/1.1"])
        }
    }

    @Test(arguments: ["gzip", "deflate", "br", "GZIP", "identity, gzip"])
    func `P1 an encoded answer is refused`(encoding: String) async throws {
        try await ScriptedServer.run({ _ in
            .send([Self.answer("x", fields: ["Content-Encoding: \(encoding)"])])
        }) { server in
            await #expect(throws: ProviderTransportError.encoded) {
                try await withTransport { try await execute($0, server.url) }
            }
        }
    }

    @Test func `P1 an encoding in a second field is refused too`() async throws {
        let fields = ["Content-Encoding: identity", "Content-Encoding: gzip"]
        try await ScriptedServer.run({ _ in .send([Self.answer("x", fields: fields)]) }) { server in
            await #expect(throws: ProviderTransportError.encoded) {
                try await withTransport { try await execute($0, server.url) }
            }
        }
    }

    @Test func `the encoding that is none is taken`() async throws {
        try await ScriptedServer.run({ _ in .send([Self.answer("x", fields: ["Content-Encoding: Identity"])]) }) {
            server in
            let response = try await withTransport { try await execute($0, server.url) }
            #expect(String(buffer: response.body) == "x")
        }
    }

    @Test func `P1 an answer may be as long as the limit and no longer`() async throws {
        let fitting = String(repeating: "x", count: Self.limit)
        let chunks: @Sendable (Int) -> [String] = { count in
            ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"]
                + (0..<count).map { _ in "80\r\n" + String(repeating: "x", count: 128) + "\r\n" } + ["0\r\n\r\n"]
        }
        try await ScriptedServer.run({ request in
            switch request.line {
            case "GET /fitting HTTP/1.1": .send([Self.answer(fitting)])
            case "GET /long HTTP/1.1": .send([Self.answer(fitting + "x")])
            case "GET /announced HTTP/1.1": .send(["HTTP/1.1 200 OK\r\nContent-Length: 1025\r\n\r\n"])
            case "GET /chunks HTTP/1.1": .send(chunks(8))
            default: .send(chunks(9))
            }
        }) { server in
            for path in ["/fitting", "/chunks"] {
                let response = try await withTransport { try await execute($0, server.url + path) }
                #expect(response.body.readableBytes == Self.limit)
            }
            for path in ["/long", "/announced", "/more-chunks"] {
                await #expect(throws: ProviderTransportError.tooLarge) {
                    try await withTransport { try await execute($0, server.url + path) }
                }
            }
        }
    }

    @Test func `P1 a body that never ends is refused at the limit`() async throws {
        let endless = ["HTTP/1.1 200 OK\r\n\r\n"] + (0..<9).map { _ in String(repeating: "x", count: 128) }
        try await ScriptedServer.run({ _ in .send(endless) }) { server in
            await #expect(throws: ProviderTransportError.tooLarge) {
                try await withTransport { try await execute($0, server.url) }
            }
        }
    }

    @Test func `P2 no answer in time is a time-out, at the head and in the body`() async throws {
        try await ScriptedServer.run({ request in
            request.line == "GET /silent HTTP/1.1"
                ? .silence : .send(["HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345"])
        }) { server in
            for path in ["/silent", "/half"] {
                await #expect(throws: ProviderTransportError.timedOut) {
                    try await withTransport {
                        try await execute($0, server.url + path, timeout: .milliseconds(50))
                    }
                }
            }
        }
    }

    @Test func `a deadline that has passed is a time-out`() async throws {
        try await ScriptedServer.run({ _ in .send([Self.answer("x")]) }) { server in
            await #expect(throws: ProviderTransportError.timedOut) {
                try await withTransport { try await execute($0, server.url, timeout: .seconds(-1)) }
            }
        }
    }

    @Test func `P2 a refused connection is unreachable`() async throws {
        // The port was free a moment ago, and no other test uses this address: nobody listens there.
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.99", port: 0).get()
        let port = try #require(listener.localAddress?.port)
        try await listener.close().get()
        await #expect(throws: ProviderTransportError.unreachable) {
            try await withTransport { try await execute($0, "http://127.0.0.99:\(port)/") }
        }
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n",
    ])
    func `P2 a connection that is closed before the answer's end is an interruption, and nothing is sent again`(
        text: String
    ) async throws {
        try await ScriptedServer.run({ _ in .sendAndClose(text) }) { server in
            await #expect(throws: ProviderTransportError.interrupted) {
                try await withTransport { try await execute($0, server.url, form: "code=c") }
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test func `P2 a connection that is torn down is an interruption, and nothing is sent again`() async throws {
        try await ScriptedServer.run({ _ in .reset }) { server in
            await #expect(throws: ProviderTransportError.interrupted) {
                try await withTransport { try await execute($0, server.url, form: "code=c") }
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test func `what is not HTTP is an interruption`() async throws {
        try await ScriptedServer.run({ _ in .sendAndClose("220 mail.example ESMTP\r\n") }) { server in
            await #expect(throws: ProviderTransportError.interrupted) {
                try await withTransport { try await execute($0, server.url) }
            }
        }
    }

    @Test func `P1 an address that is not allowed gets no byte`() async throws {
        try await ScriptedServer.run({ _ in .send([Self.answer("x")]) }) { server in
            await #expect(throws: ProviderTransportError.addressRefused) {
                try await withTransport {
                    try await execute($0, server.url, authorization: "Basic x", form: "code=c", addresses: .publicOnly)
                }
            }
            try await server.firstConnectionClosed()
            #expect(server.receivedBytes == 0)
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `one trust's connection is not used by another`() async throws {
        try await ScriptedServer.run({ _ in .send([Self.answer("x")]) }) { server in
            try await withTransport { transport in
                _ = try await execute(transport, server.url, addresses: .any)
                await #expect(throws: ProviderTransportError.addressRefused) {
                    try await execute(transport, server.url, addresses: .publicOnly)
                }
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test func `after the shutdown nothing is sent`() async throws {
        try await ScriptedServer.run({ _ in .send([Self.answer("x")]) }) { server in
            let transport = AsyncHTTPClientTransport(eventLoopGroup: MultiThreadedEventLoopGroup.singleton)
            try await transport.shutdown()
            await #expect(throws: ProviderTransportError.interrupted) { try await execute(transport, server.url) }
            #expect(server.requests.isEmpty)
        }
    }
}
