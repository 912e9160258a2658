// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerServer
import Testing
import TestingSupport

/// Requests on one connection, and what must not be taken for one. Plain, since TLS changes nothing of it.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct FramingTests {
    private func withConnection(
        _ body: (RawConnection, RunningServer) async throws -> Void
    ) async throws {
        var options = RunningServer.Options()
        options.isSecure = false
        try await RunningServer.run(options) { server in
            try await RawConnection.open(port: server.port) { try await body($0, server) }
        }
    }

    @Test func `a connection is kept for many requests, 404 and HEAD among them`() async throws {
        try await withConnection { connection, server in
            for _ in 0..<3 {
                try await connection.send(Request.get("/__/auth/jwks", server))
                #expect(try await connection.response().status == 200)
                try await connection.send(Request.get("/elsewhere", server))
                #expect(try await connection.response().status == 404)
                let fields = ["Host: \(server.authority)"]
                try await connection.send(Request.head("HEAD /__/auth/jwks HTTP/1.1", fields))
                #expect(try await connection.response(toHEAD: true).status == 200)
            }
        }
    }

    @Test func `pipelined requests are answered in order, the slow one too`() async throws {
        let transport = StubTransport()
        defer { transport.giveUp() }
        try await RunningServer.run(.plain(transport)) { server in
            try await RawConnection.open(port: server.port) { connection in
                let head = Request.head("HEAD /__/auth/jwks HTTP/1.1", ["Host: \(server.authority)"])
                try await connection.send(
                    Request.start(server) + Request.get("/__/auth/jwks", server) + Request.get("/elsewhere", server)
                        + head + Request.start(server) + Request.get("/__/auth/nothing", server))
                try await transport.next().succeedWithMetadata()
                #expect(try await connection.response().status == 303)
                #expect(try await connection.response().body.contains("\"keys\""))
                #expect(try await connection.response().status == 404)
                #expect(try await connection.response(toHEAD: true).status == 200)
                #expect(try await connection.response().status == 303)
                #expect(try await connection.response().status == 404)
            }
        }
    }

    /// NIO's decoder reads nothing behind such a request, and would keep whatever comes.
    @Test(arguments: ["GET /elsewhere", "GET /__/auth/jwks", "POST /elsewhere"])
    func `behind a request for an upgrade the connection ends`(line: String) async throws {
        try await withConnection { connection, server in
            let fields = ["Host: \(server.authority)", "Connection: Upgrade", "Upgrade: websocket"]
            try await connection.send(Request.head("\(line) HTTP/1.1", fields))
            let response = try await connection.response()
            #expect(response.status == (line.hasSuffix("jwks") ? 200 : 404))
            #expect(response.fields.contains { $0.name == "connection" && $0.value == "close" })
            #expect(await connection.rest().isEmpty)
        }
    }

    @Test func `behind a CONNECT the connection ends`() async throws {
        try await withConnection { connection, _ in
            try await connection.send(Request.head("CONNECT a.example:1 HTTP/1.1", ["Host: a.example:1"]))
            let response = try await connection.response()
            #expect(response.fields.contains { $0.name == "connection" && $0.value == "close" })
            #expect(await connection.rest().isEmpty)
        }
    }

    @Test(.attack(.spoofedHost), arguments: ["same", "other"])
    func `two Host fields are refused`(second: String) async throws {
        try await withConnection { connection, server in
            let field = "Host: " + (second == "same" ? server.authority : "other.example")
            try await connection.send(Request.get("/__/auth/jwks", server, [field]))
            #expect(try await connection.response().status == 400)
        }
    }

    @Test(.attack(.spoofedHost)) func `no Host is refused`() async throws {
        try await withConnection { connection, _ in
            try await connection.send(Request.head("GET /__/auth/jwks HTTP/1.1", []))
            #expect(try await connection.response().status == 400)
        }
    }

    @Test(.attack(.spoofedHost)) func `the authority of an absolute-form target is the one that counts`() async throws {
        try await withConnection { connection, server in
            let target = "http://\(server.authority)/__/auth/jwks"
            try await connection.send(Request.head("GET \(target) HTTP/1.1", ["Host: other.example"]))
            #expect(try await connection.response().status == 200)
            try await connection.send(Request.get("http://other.example/__/auth/jwks", server))
            #expect(try await connection.response().status == 421)
        }
    }

    @Test(arguments: [
        ["Content-Length: 5", "Transfer-Encoding: chunked"],
        ["Transfer-Encoding: chunked", "Content-Length: 5"],
        ["Content-Length: 5", "Content-Length: 6"],
        ["Content-Length: +5"],
        ["Transfer-Encoding: chunked, identity"],
        ["Content-Length : 5"],
        ["X-Field\u{0}: 1"],
    ])
    func `a request whose end is in doubt is refused, and so is all behind it`(fields: [String]) async throws {
        try await withConnection { connection, server in
            let form = ["Host: \(server.authority)", "Content-Type: application/x-www-form-urlencoded"]
            let smuggled = Request.get("/__/auth/jwks", server)
            try await connection.send(
                Request.head("POST /__/auth/token HTTP/1.1", form + fields) + "0\r\n\r\n" + smuggled)
            let response = try await connection.response()
            #expect(response.status == 400)
            #expect(response["connection"]?.lowercased() == "close")
            #expect(await connection.rest().isEmpty)
        }
    }

    @Test func `HTTP/1.0 and Connection close end the connection`() async throws {
        for (version, field) in [("1.0", "X: 1"), ("1.1", "Connection: close")] {
            try await withConnection { connection, server in
                try await connection.send(
                    Request.head("GET /__/auth/jwks HTTP/\(version)", ["Host: \(server.authority)", field]))
                #expect(try await connection.response().status == 200)
                #expect(await connection.rest().isEmpty)
            }
        }
    }

    @Test func `an unexpected body is not read`() async throws {
        try await withConnection { connection, server in
            try await connection.send(
                Request.head("POST /elsewhere HTTP/1.1", ["Host: \(server.authority)", "Content-Length: 1000000"]))
            let response = try await connection.response()
            #expect(response.status == 404)
            #expect(response["connection"]?.lowercased() == "close")
            #expect(await connection.rest().isEmpty)
        }
    }

    @Test func `a client that waits for 100 is told to go on, or that it need not`() async throws {
        try await withConnection { connection, server in
            let fields = [
                "Host: \(server.authority)", "Content-Type: application/x-www-form-urlencoded",
                "Expect: 100-continue",
            ]
            try await connection.send(Request.head("POST /__/auth/token HTTP/1.1", fields + ["Content-Length: 3"]))
            #expect(try await connection.response().status == 100)
            try await connection.send("a=b")
            #expect(try await connection.response().status == 401)
            try await connection.send(
                Request.head("POST /__/auth/token HTTP/1.1", fields + ["Content-Length: 65537"]))
            #expect(try await connection.response().status == 413)
        }
    }
}
