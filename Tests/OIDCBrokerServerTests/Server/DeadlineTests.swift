// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBrokerServer
import Testing
import TestingSupport

/// Slow connections are closed. Each test waits for the server's close; the ones that write all the while
/// show that bytes do not buy time.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct DeadlineTests {
    private static func options(isSecure: Bool = false, head: TimeAmount = .seconds(1)) -> RunningServer.Options {
        var options = RunningServer.Options()
        options.isSecure = isSecure
        options.limits.requestHeadDeadline = head
        return options
    }

    @Test func `a connection that says nothing`() async throws {
        try await RunningServer.run(Self.options()) { server in
            try await RawConnection.open(port: server.port) { connection in
                #expect(await connection.rest().isEmpty)
            }
        }
    }

    @Test func `a TLS handshake that does not begin`() async throws {
        try await RunningServer.run(Self.options(isSecure: true)) { server in
            try await RawConnection.open(port: server.port) { connection in
                #expect(await connection.rest().isEmpty)
            }
        }
    }

    @Test(arguments: ["http/1.1", "h2"])
    func `a TLS connection without a request`(protocolName: String) async throws {
        try await RunningServer.run(Self.options(isSecure: true, head: .seconds(2))) { server in
            let tls = RawConnection.TLS(certificate: server.certificate, protocols: [protocolName])
            try await RawConnection.open(port: server.port, tls: tls) { connection in
                let received = await connection.rest()
                #expect(!received.contains("HTTP/1.1"))
                // An HTTP/2 server speaks first: its settings. So the handshake was complete.
                #expect(received.isEmpty == (protocolName == "http/1.1"))
            }
        }
    }

    @Test func `a head that trickles in`() async throws {
        try await RunningServer.run(Self.options()) { server in
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send("GET /__/auth/jwks HTTP/1.1\r\nHost: \(server.authority)\r\n")
                let trickle = connection.trickle("X-A: 1\r\n", every: .milliseconds(50))
                #expect(await connection.rest().isEmpty)
                #expect(trickle.writes > 1)
            }
        }
    }

    @Test func `empty lines before a head`() async throws {
        try await RunningServer.run(Self.options()) { server in
            try await RawConnection.open(port: server.port) { connection in
                let trickle = connection.trickle("\r\n", every: .milliseconds(50))
                #expect(await connection.rest().isEmpty)
                #expect(trickle.writes > 1)
            }
        }
    }

    @Test func `a second head that trickles in, behind a request that was answered`() async throws {
        try await RunningServer.run(Self.options()) { server in
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send(Request.get("/__/auth/jwks", server))
                #expect(try await connection.response().status == 200)
                try await connection.send("GET ")
                let trickle = connection.trickle("/", every: .milliseconds(50))
                #expect(await connection.rest().isEmpty)
                #expect(trickle.writes > 1)
            }
        }
    }

    @Test func `a connection between requests has more time than a head`() async throws {
        try await RunningServer.run(Self.options()) { server in
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send(Request.get("/__/auth/jwks", server))
                #expect(try await connection.response().status == 200)
                // The close of another one, which began later, says that the deadline has passed.
                try await RawConnection.open(port: server.port) { other in
                    #expect(await other.rest().isEmpty)
                }
                try await connection.send(Request.get("/__/auth/jwks", server))
                #expect(try await connection.response().status == 200)
            }
        }
    }

    @Test func `a response that takes longer than a head may`() async throws {
        let transport = StubTransport()
        defer { transport.giveUp() }
        var options = Self.options()
        options.transport = transport
        try await RunningServer.run(options) { server in
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send(Request.start(server))
                let waiting = try await transport.next()
                try await RawConnection.open(port: server.port) { other in
                    #expect(await other.rest().isEmpty)
                }
                waiting.succeedWithMetadata()
                #expect(try await connection.response().status == 303)
            }
        }
    }

    @Test func `an idle connection`() async throws {
        var options = Self.options(head: .seconds(30))
        options.limits.idleTimeout = .seconds(1)
        try await RunningServer.run(options) { server in
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send(Request.get("/__/auth/jwks", server))
                #expect(try await connection.response().status == 200)
                #expect(await connection.rest().isEmpty)
            }
        }
    }

    /// The body's deadline is the broker's own, ten seconds, and no test can make it shorter from here.
    @Test(.attack(.oversizedForm)) func `a body that trickles in`() async throws {
        try await RunningServer.run(Self.options(head: .seconds(60))) { server in
            try await RawConnection.open(port: server.port) { connection in
                let fields = [
                    "Host: \(server.authority)", "Content-Type: application/x-www-form-urlencoded",
                    "Content-Length: 60000",
                ]
                try await connection.send(Request.head("POST /__/auth/token HTTP/1.1", fields))
                let trickle = connection.trickle("a", every: .milliseconds(50))
                let response = try await connection.response()
                #expect(response.status == 408)
                #expect(response["connection"]?.lowercased() == "close")
                #expect(await connection.rest().isEmpty)
                #expect(trickle.writes > 1)
            }
        }
    }
}
