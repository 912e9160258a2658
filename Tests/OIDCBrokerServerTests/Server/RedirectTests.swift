// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerServer
import OIDCBrokerTesting
import Testing
import TestingSupport

/// The plain listener that sends browsers to the public URL.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct RedirectTests {
    private static func options(port: Int = 0) -> RunningServer.Options {
        var options = RunningServer.Options()
        options.configureServer = { configuration, _ in configuration.redirectPort = port }
        return options
    }

    private func withServer(
        _ options: RunningServer.Options = Self.options(), _ body: (RunningServer, Int) async throws -> Void
    ) async throws {
        try await RunningServer.run(options) { server in
            let address = try await server.server.boundRedirectAddress()
            let port = try #require(address.port)
            try await body(server, port)
        }
    }

    @Test(
        arguments: [
            "evil.example", "evil.example:443", "evil.example/@", "a b", "\u{e4}", "", "localhost\tevil.example",
        ])
    func `the public URL is the target, whatever Host says`(host: String) async throws {
        try await withServer { server, port in
            for method in ["GET", "HEAD"] {
                try await RawConnection.open(port: port) { connection in
                    let fields = ["Host: \(host)", "X-Forwarded-Host: evil.example", "Forwarded: host=evil.example"]
                    try await connection.send(Request.head("\(method) /a/b?c=d HTTP/1.1", fields))
                    let response = try await connection.response(toHEAD: method == "HEAD")
                    #expect(response.status == 308)
                    #expect(response["location"] == server.publicURL.origin + "/a/b?c=d")
                    #expect(response["connection"] == "close")
                    #expect(response["content-length"] == "0")
                    #expect(response["date"]?.hasSuffix(" GMT") == true)
                    #expect(await connection.rest().isEmpty)
                }
            }
        }
    }

    @Test(
        arguments: [
            ("GET //evil.example/a HTTP/1.1", 308), ("GET /\\evil.example HTTP/1.1", 308),
            ("GET /%0d%0aSet-Cookie:a=b HTTP/1.1", 308), ("GET /a HTTP/1.0", 308),
            ("GET http://evil.example/a HTTP/1.1", 400), ("GET https://localhost/a HTTP/1.1", 400),
            ("GET /a#b HTTP/1.1", 400), ("GET * HTTP/1.1", 400), ("GET evil.example:80 HTTP/1.1", 400),
            ("GET /\u{e4} HTTP/1.1", 400), ("GET /a\u{2028}b HTTP/1.1", 400), ("GET /a\0b HTTP/1.1", 400),
            ("GET /a b HTTP/1.1", 400), ("GET /a\rSet-Cookie:a=b HTTP/1.1", 400), ("GET", 400),
            ("\u{16}\u{3}\u{1}", 400),
            ("POST /a HTTP/1.1", 405), ("OPTIONS * HTTP/1.1", 405), ("DELETE /a HTTP/1.1", 405),
            ("GET /" + String(repeating: "a", count: 9000) + " HTTP/1.1", 400),
        ])
    func `nothing sends a browser elsewhere, or writes a field`(line: String, status: Int) async throws {
        try await withServer { server, port in
            try await RawConnection.open(port: port) { connection in
                try await connection.send(Request.head(line, ["Host: evil.example"]))
                let response = try await connection.response()
                #expect(response.status == status)
                let isOwn = response["location"].map { $0.hasPrefix(server.publicURL.origin + "/") }
                #expect(isOwn == (status == 308 ? true : nil))
                #expect(response["set-cookie"] == nil)
                #expect(response["strict-transport-security"] == nil)
                #expect(await connection.rest().isEmpty)
            }
        }
    }

    @Test func `a connection is for one request, and a body is not waited for`() async throws {
        try await withServer { server, port in
            let get = Request.head("GET /a HTTP/1.1", ["Host: localhost"])
            try await RawConnection.open(port: port) { connection in
                try await connection.send(get + get)
                #expect(try await connection.response().status == 308)
                #expect(await connection.rest().isEmpty)
            }
            for body in ["Content-Length: 1000000", "Transfer-Encoding: chunked"] {
                try await RawConnection.open(port: port) { connection in
                    try await connection.send(Request.head("POST /a HTTP/1.1", ["Host: localhost", body]))
                    #expect(try await connection.response().status == 405)
                    #expect(await connection.rest().isEmpty)
                }
            }
        }
    }

    @Test func `a head that does not end in time is not waited for`() async throws {
        var options = Self.options()
        options.limits.requestHeadDeadline = .seconds(1)
        try await withServer(options) { _, port in
            try await RawConnection.open(port: port) { connection in
                #expect(await connection.rest().isEmpty)
            }
            try await RawConnection.open(port: port) { connection in
                try await connection.send("GET /a HTTP/1.1\r\n")
                let trickle = connection.trickle("X-A: 1\r\n", every: .milliseconds(50))
                #expect(await connection.rest().isEmpty)
                #expect(trickle.writes > 1)
            }
        }
    }

    @Test func `connections to it count`() async throws {
        var options = Self.options()
        // What is closed is closed for another reason.
        options.limits.requestHeadDeadline = .hours(1)
        options.configureServer = { configuration, _ in
            configuration.redirectPort = 0
            configuration.limits.connections = 1
        }
        try await withServer(options) { server, port in
            let tls = RawConnection.TLS(certificate: server.certificate)
            try await RawConnection.open(port: server.port, tls: tls) { connection in
                try await connection.send(Request.get("/__/auth/jwks", server))
                #expect(try await connection.response().status == 200)
                try await RawConnection.open(port: port) { second in
                    #expect(await second.rest().isEmpty)
                }
                try await connection.send(Request.get("/__/auth/jwks", server))
                #expect(try await connection.response().status == 200)
            }
        }
    }

    @Test func `it drains with the server`() async throws {
        var options = Self.options()
        options.limits.requestHeadDeadline = .hours(1)
        options.limits.drainDeadline = .hours(1)
        try await withServer(options) { server, port in
            try await RawConnection.open(port: port) { silent in
                try await silent.send("GET /a HTTP/1.1\r\n")
                await server.beginGracefulShutdown()
                #expect(await silent.rest().isEmpty)
            }
            try await server.finish()
            await #expect(throws: (any Error).self) { try await RawConnection.open(port: port) { _ in } }
        }
    }

    @Test func `where it cannot listen, the server does not either`() async throws {
        try await withServer { _, port in
            await #expect(throws: ListenerError.self) {
                try await RunningServer.run(Self.options(port: port)) { _ in }
            }
        }
    }
}
