// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerServer
import OpenIDRelyingParty
import Testing
import TestingSupport

/// The listener for SDKs that speak plain HTTP only, and for the admin operations.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct LoopbackListenerTests {
    private static let bearer = "Authorization: Bearer " + LoopbackServer.token

    @Test func `it serves the wire and the admin operations, and nothing else of the broker`() async throws {
        try await LoopbackServer.run { loopback in
            try await RawConnection.open(port: loopback.port) { connection in
                try await connection.send(loopback.request("GET /"))
                #expect(try await connection.response().body == #"{"authEmulator":{"ready":true}}"#)
                let lookup = loopback.request(
                    "POST \(LoopbackServer.admin)lookup", [Self.bearer], body: #"{"localId":["nobody"]}"#)
                try await connection.send(lookup)
                let found = try await connection.response()
                #expect(found.status == 200 && found["access-control-allow-origin"] == nil)
                #expect(found["strict-transport-security"] == nil && found["set-cookie"] == nil)
                let wire = "/identitytoolkit.googleapis.com/v1/projects?key=" + LoopbackServer.apiKey
                try await connection.send(loopback.request("GET " + wire))
                #expect(try await connection.response().status == 200)
                try await connection.send(loopback.request("GET /emulator/auth/handler?apiKey=a&b=%00"))
                let start = try await connection.response()
                #expect(start.status == 303)
                let origin = loopback.server.publicURL.origin
                #expect(start["location"] == origin + "/emulator/auth/handler?apiKey=a&b=%00")
                for target in ["/__/auth/jwks", "/__/auth/authorize", "/healthz", "/x"] {
                    try await connection.send(loopback.request("GET " + target))
                    #expect(try await connection.response().status == 404)
                }
            }
        }
    }

    @Test func `an import of an operator has 8 MB, one at a time, and every other request 64 KB`() async throws {
        let line = "POST \(LoopbackServer.admin)batchCreate"
        try await LoopbackServer.run { loopback in
            func begun(_ line: String, _ fields: [String], length: Int) -> String {
                let fields = ["Host: 127.0.0.1:\(loopback.port)", "Content-Length: \(length)"] + fields
                return Request.head(line + " HTTP/1.1", fields)
            }
            let users = #"{"users":[{"localId":"a"}]}"#
            let longest = users + String(repeating: " ", count: (8 << 20) - users.utf8.count)
            try await RawConnection.open(port: loopback.port) { connection in
                try await connection.send(begun(line, [Self.bearer], length: longest.utf8.count) + users)
                let other = loopback.request(line, [Self.bearer], body: users)
                // As soon as the server has read the head, the place is taken.
                while try await loopback.response(to: other).status != 503 {}
                let long = begun(line, [Self.bearer], length: longest.utf8.count)
                #expect(try await loopback.response(to: long).status == 503)
                try await connection.send(String(longest.dropFirst(users.count)))
                let response = try await connection.response()
                #expect(response.status == 200 && response.body == "{}")
                #expect(try await loopback.response(to: other).status == 200)
            }
            for (line, fields, length) in [
                (line, [Self.bearer], 8 << 20 | 1), (line, [], 65_537), (line, ["Authorization: Bearer owner"], 65_537),
                ("POST \(LoopbackServer.admin)batchDelete", [Self.bearer], 65_537),
            ] {
                #expect(try await loopback.response(to: begun(line, fields, length: length)).status == 413)
            }
        }
    }

    @Test func `the public listener has none of it`() async throws {
        try await LoopbackServer.run { loopback in
            let tls = RawConnection.TLS(certificate: loopback.server.certificate)
            try await RawConnection.open(port: loopback.server.port, tls: tls) { connection in
                for target in [LoopbackServer.admin + "batchGet", LoopbackServer.admin + "lookup"] {
                    for host in [loopback.server.authority, "127.0.0.1:\(loopback.port)"] {
                        let fields = ["Host: " + host, Self.bearer]
                        try await connection.send(Request.head("GET \(target) HTTP/1.1", fields))
                        #expect(try await connection.response().status == 404)
                    }
                }
                try await connection.send(Request.get("/__/auth/jwks", loopback.server))
                #expect(try await connection.response().status == 200)
            }
        }
    }

    @Test func `both listeners read the API key from a header field too, and the SDK's longest start`() async throws {
        try await LoopbackServer.run { loopback in
            let tls = RawConnection.TLS(certificate: loopback.server.certificate)
            let projects = "GET /identitytoolkit.googleapis.com/v1/projects"
            let key = "X-Goog-Api-Key: " + LoopbackServer.apiKey
            for (fields, status) in [([key], 200), ([key + "x"], 400), ([], 403)] {
                #expect(try await loopback.response(to: loopback.request(projects, fields)).status == status)
                try await RawConnection.open(port: loopback.server.port, tls: tls) { connection in
                    let host = "Host: " + loopback.server.authority
                    try await connection.send(Request.head(projects + " HTTP/1.1", [host] + fields))
                    #expect(try await connection.response().status == status)
                }
            }
            try await RawConnection.open(port: loopback.server.port, tls: tls) { connection in
                let page = "https://evil.example/" + String(repeating: "%25", count: 4000)
                let start =
                    "GET /emulator/auth/handler?apiKey=\(LoopbackServer.apiKey)&authType=signInViaPopup&redirectUrl="
                let host = "Host: " + loopback.server.authority
                try await connection.send(Request.head(start + page + " HTTP/1.1", [host]))
                let refused = try await connection.response()
                #expect(refused.status == 400 && refused.body.contains("redirectUrl"))
            }
        }
    }

    @Test func `an operation that is not offered is named`() async throws {
        try await LoopbackServer.run { loopback in
            let path = "/identitytoolkit.googleapis.com/v1/projects/\(LoopbackServer.projectID)/accounts:sendOobCode"
            let refused = try await loopback.response(
                to: loopback.request("POST " + path, [Self.bearer], body: "{}"))
            #expect(refused.status == 400)
            #expect(refused.body.contains("OPERATION_NOT_ALLOWED : sendOobCode is not offered here."))
        }
    }

    @Test(
        arguments: [
            ("127.0.0.1", 200), ("localhost", 200), ("LOCALHOST:1", 200), ("[::1]:9099", 200), ("10.0.2.2:9099", 200),
            ("127.8.9.10:65535", 200), ("10.0.2.3", 421), ("evil.example", 421), ("localhost.evil.example", 421),
            ("127.0.0.1.evil.example", 421), ("localhost.", 421), ("0.0.0.0", 421), ("[::]", 421), ("192.168.0.1", 421),
            ("localhost:0", 421), ("localhost:65536", 421), ("", 400), ("a@localhost", 400), ("localhost, a", 400),
            ("localhost/", 400),
        ])
    func `it takes requests for its own names only`(host: String, status: Int) async throws {
        try await LoopbackServer.run { loopback in
            let lookup = loopback.request(
                "POST \(LoopbackServer.admin)lookup", host: host, [Self.bearer], body: #"{"localId":["nobody"]}"#)
            let found = try await loopback.response(to: lookup)
            #expect(found.status == status)
            let ready = try await loopback.response(to: loopback.request("GET /", host: host))
            #expect(ready.status == status)
        }
    }

    @Test func `without a Host, or with two, nothing is served`() async throws {
        try await LoopbackServer.run { loopback in
            let old = try await loopback.response(to: Request.head("GET / HTTP/1.0", []))
            #expect(old.status == 421)
            let none = try await loopback.response(to: Request.head("GET / HTTP/1.1", []))
            #expect(none.status == 400)
            let two = Request.head("GET / HTTP/1.1", ["Host: localhost", "Host: localhost"])
            #expect(try await loopback.response(to: two).status == 400)
        }
    }

    @Test func `it listens on ::1 as well where there is one`() async throws {
        let group = RunningServer.eventLoops
        let probe = try? await ServerBootstrap(group: group).bind(host: "::1", port: 0).get()
        try await probe?.close()
        try await LoopbackServer.run { loopback in
            let connected = try? await ClientBootstrap(group: group).connect(host: "::1", port: loopback.port).get()
            #expect((connected != nil) == (probe != nil))
            try await connected?.close()
            let address = try await loopback.server.server.boundLoopbackAddress()
            #expect(address.ipAddress == "127.0.0.1")
        }
    }

    // MARK: The credentials

    @Test func `a reload changes the token and the word owner, and not the port`() async throws {
        try await LoopbackServer.run { loopback in
            func status(_ token: String) async throws -> Int {
                let request = loopback.request(
                    "GET \(LoopbackServer.admin)batchGet", ["Authorization: Bearer " + token])
                return try await loopback.response(to: request).status
            }
            #expect(try await status("owner") == 401)
            #expect(try await status(LoopbackServer.token) == 200)
            let other = "another-token-0123456789abcdefghijklmno"
            var next = ServerConfiguration(port: 0)
            next.loopback.port = 1
            next.loopback.adminToken = Secret(other)
            next.loopback.acceptsOwner = true
            try loopback.server.server.reload(next)
            #expect(try await status("owner") == 200)
            #expect(try await status(LoopbackServer.token) == 401)
            #expect(try await status(other) == 200)
        }
    }

    @Test func `lines about requests have no project of others and no token`() async throws {
        let access = MetadataRecorder()
        var options = RunningServer.Options()
        options.accessLogger = access.logger
        try await LoopbackServer.run(options, configure: { $0.log.access = true }) { loopback in
            let other = "/identitytoolkit.googleapis.com/v1/projects/secret-project/accounts:lookup"
            for line in ["GET \(LoopbackServer.admin)batchGet?nextPageToken=secret", "POST " + other, "GET /secret"] {
                _ = try await loopback.response(to: loopback.request(line, [Self.bearer]))
            }
        }
        #expect(access.lines.map { $0["path"] } == [LoopbackServer.admin + "batchGet", "other", "other"])
        #expect(access.lines.map { $0["status"] } == ["400", "403", "404"])
        #expect(access.lines.allSatisfy { $0["address"] == "127.0.0.1" })
        #expect(!"\(access.lines)".contains("secret") && !"\(access.lines)".contains(LoopbackServer.token))
    }

    // MARK: Limits, deadlines and the end

    @Test(arguments: [("evil.example", "X: 1", 421), ("localhost", "Origin: https://evil.example", 403)])
    func `a refused page holds no connection`(host: String, field: String, status: Int) async throws {
        var options = RunningServer.Options()
        // What is closed is closed for another reason.
        options.limits.loopbackHeadDeadline = .hours(1)
        options.limits.idleTimeout = .hours(1)
        try await LoopbackServer.run(options) { loopback in
            try await RawConnection.open(port: loopback.port) { connection in
                try await isServed(loopback, on: connection)
                try await connection.send(loopback.request("GET /", host: host, [field]))
                let refused = try await connection.response()
                #expect(refused.status == status)
                #expect(refused["connection"] == "close")
                #expect(await connection.rest().isEmpty)
            }
        }
    }

    @Test func `a body that is too long is refused`() async throws {
        try await LoopbackServer.run { loopback in
            let long = loopback.request(
                "POST \(LoopbackServer.admin)batchDelete", [Self.bearer, "Content-Length: 65537"])
            let refused = try await loopback.response(to: long)
            #expect(refused.status == 413)
        }
    }

    @Test func `a head that does not end in time is not waited for`() async throws {
        var options = RunningServer.Options()
        #expect(options.limits.loopbackHeadDeadline == .seconds(2))
        options.limits.requestHeadDeadline = .hours(1)
        options.limits.loopbackHeadDeadline = .seconds(1)
        try await LoopbackServer.run(options) { loopback in
            try await RawConnection.open(port: loopback.port) { connection in
                try await connection.send("GET / HTTP/1.1\r\n")
                let trickle = connection.trickle("X-A: 1\r\n", every: .milliseconds(50))
                #expect(await connection.rest().isEmpty)
                #expect(trickle.writes > 1)
            }
        }
    }

    private func isServed(_ loopback: LoopbackServer, on connection: RawConnection) async throws {
        try await connection.send(loopback.request("GET /"))
        #expect(try await connection.response().status == 200)
    }

    @Test func `it has places of its own: one more is closed, and connections to the public listener take none`()
        async throws
    {
        var options = RunningServer.Options()
        // What is closed is closed for another reason.
        options.limits.requestHeadDeadline = .hours(1)
        options.limits.loopbackHeadDeadline = .hours(1)
        options.limits.loopbackConnections = 2
        let configure: @Sendable (inout ServerConfiguration) -> Void = {
            $0.limits.connections = 1
            $0.limits.connectionsPerAddress = 1
        }
        try await LoopbackServer.run(options, configure: configure) { loopback in
            let tls = RawConnection.TLS(certificate: loopback.server.certificate)
            try await RawConnection.open(port: loopback.server.port, tls: tls) { connection in
                try await connection.send(Request.get("/__/auth/jwks", loopback.server))
                #expect(try await connection.response().status == 200)
                try await RawConnection.open(port: loopback.port) { first in
                    try await isServed(loopback, on: first)
                    try await RawConnection.open(port: loopback.port) { second in
                        try await isServed(loopback, on: second)
                        try await RawConnection.open(port: loopback.port) { third in
                            #expect(await third.rest().isEmpty)
                        }
                        try await isServed(loopback, on: second)
                    }
                    try await isServed(loopback, on: first)
                }
            }
        }
    }

    @Test func `connections to it take no places of the public listener`() async throws {
        var options = RunningServer.Options()
        options.limits.requestHeadDeadline = .hours(1)
        options.limits.loopbackHeadDeadline = .hours(1)
        try await LoopbackServer.run(options, configure: { $0.limits.connections = 1 }) { loopback in
            try await RawConnection.open(port: loopback.port) { first in
                try await isServed(loopback, on: first)
                let tls = RawConnection.TLS(certificate: loopback.server.certificate)
                try await RawConnection.open(port: loopback.server.port, tls: tls) { connection in
                    try await connection.send(Request.get("/__/auth/jwks", loopback.server))
                    #expect(try await connection.response().status == 200)
                }
            }
        }
    }

    @Test func `it drains with the server`() async throws {
        var options = RunningServer.Options()
        options.limits.requestHeadDeadline = .hours(1)
        options.limits.loopbackHeadDeadline = .hours(1)
        options.limits.drainDeadline = .hours(1)
        try await LoopbackServer.run(options) { loopback in
            try await RawConnection.open(port: loopback.port) { kept in
                try await kept.send(loopback.request("GET /"))
                #expect(try await kept.response().status == 200)
                await loopback.server.beginGracefulShutdown()
                #expect(await kept.rest().isEmpty)
            }
            try await loopback.server.finish()
            await #expect(throws: (any Error).self) { try await RawConnection.open(port: loopback.port) { _ in } }
        }
    }

    @Test func `where it cannot listen, the server does not either`() async throws {
        try await LoopbackServer.run { loopback in
            let port = loopback.port
            await #expect(throws: ListenerError.self) {
                try await LoopbackServer.run(configure: { $0.loopback.port = port }) { _ in }
            }
        }
    }

    @Test func `where another process has its port on the other address, it is not served`() async throws {
        let other = try? await ServerBootstrap(group: RunningServer.eventLoops).bind(host: "::1", port: 0).get()
        // Nothing can take the port where there is no such address.
        guard let other, let port = other.localAddress?.port else { return }
        await #expect(throws: ListenerError.self) {
            try await LoopbackServer.run(configure: { $0.loopback.port = port }) { _ in }
        }
        try await other.close()
    }

    @Test func `without accounts nothing is served on it`() async throws {
        var options = RunningServer.Options()
        options.configureServer = { configuration, _ in configuration.loopback.port = 0 }
        try await RunningServer.run(options) { server in
            let port = try #require(try await server.server.boundLoopbackAddress().port)
            try await RawConnection.open(port: port) { connection in
                try await connection.send(Request.head("GET / HTTP/1.1", ["Host: localhost"]))
                #expect(try await connection.response().status == 404)
            }
        }
    }
}
