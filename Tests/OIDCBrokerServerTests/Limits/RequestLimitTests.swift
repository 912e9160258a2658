// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBroker
import OIDCBrokerServer
import OIDCBrokerTesting
import Testing
import TestingSupport

/// The limits on who asks, over real sockets: the address is that of the connection.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct RequestLimitTests {
    /// A server whose buckets refill so slowly that no token comes during a test.
    private func options(browsers: Int, failures: Int = 2) -> RunningServer.Options {
        var options = RunningServer.Options()
        options.requestLimits.browserPerSecond = 1
        options.requestLimits.browserBurst = browsers
        options.requestLimits.failuresPerSecond = 1
        options.requestLimits.failuresBurst = failures
        options.clock = TestClock()
        return options
    }

    private func open<Value: Sendable>(
        _ server: RunningServer, from address: String, _ body: (RawConnection) async throws -> Value
    ) async throws -> Value {
        try await RawConnection.open(
            port: server.port, from: address, tls: RawConnection.TLS(certificate: server.certificate), body)
    }

    @Test func `an address over the rate gets 429 on any of its connections, another one goes on`() async throws {
        try await RunningServer.run(options(browsers: 3)) { server in
            let target = "/__/auth/handler?state=x"
            try await open(server, from: "127.0.0.2") { connection in
                for _ in 0..<3 {
                    try await connection.send(Request.get(target, server))
                    #expect(try await connection.response().status == 400)
                }
                try await connection.send(Request.get(target, server))
                let response = try await connection.response()
                #expect(response.status == 429)
                #expect(response["retry-after"] == "1")
                #expect(response.body.contains("Please wait a moment"))
            }
            try await open(server, from: "127.0.0.2") { connection in
                try await connection.send(Request.get(target, server))
                #expect(try await connection.response().status == 429)
                // The connection is not closed for it, and documents are not limited.
                try await connection.send(Request.get("/__/auth/jwks", server))
                #expect(try await connection.response().status == 200)
                try await connection.send(Request.head("HEAD \(target) HTTP/1.1", ["Host: \(server.authority)"]))
                #expect(try await connection.response(toHEAD: true).status == 429)
            }
            try await open(server, from: "127.0.0.3") { connection in
                try await connection.send(Request.get(target, server))
                #expect(try await connection.response().status == 400)
            }
        }
    }

    @Test func `a client over the rate is not read for as long as it has to wait`() async throws {
        try await RunningServer.run(options(browsers: 1)) { server in
            try await open(server, from: "127.0.0.2") { connection in
                let refused = Request.get("/__/auth/handler?state=x", server)
                let document = Request.get("/__/auth/jwks", server)
                let begin = ContinuousClock.now
                try await connection.send(refused + refused + document)
                for status in [400, 429] { #expect(try await connection.response().status == status) }
                try await connection.send(document)
                for _ in 0..<2 { #expect(try await connection.response().status == 200) }
                #expect(ContinuousClock.now - begin > .milliseconds(990))
            }
        }
    }

    @Test func `2,000 addresses at the limit, and one more person is not held up`() async throws {
        try await RunningServer.run(options(browsers: 1)) { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<8 {
                    group.addTask {
                        for number in 0..<250 {
                            let address = "127.0.\(10 + worker).\(number + 1)"
                            try await open(server, from: address) { connection in
                                // The end of a connection that is not read takes a second.
                                let last = ["Connection: close"]
                                for (status, fields) in [(400, []), (429, last)] as [(Int, [String])] {
                                    let request = Request.get("/__/auth/handler?state=x", server, fields)
                                    try await connection.send(request)
                                    #expect(try await connection.response().status == status)
                                }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await open(server, from: "127.0.0.2") { connection in
                try await connection.send(Request.get("/__/auth/handler?state=x", server))
                #expect(try await connection.response().status == 400)
            }
        }
    }

    @Test func `refused token requests of an address are limited, as JSON`() async throws {
        try await RunningServer.run(options(browsers: 1000)) { server in
            let request = Request.head(
                "POST /__/auth/token HTTP/1.1",
                [
                    "Host: \(server.authority)", "Content-Type: application/x-www-form-urlencoded",
                    "Content-Length: 0",
                ])
            try await open(server, from: "127.0.0.2") { connection in
                for status in [401, 401, 429, 429] {
                    try await connection.send(request)
                    let response = try await connection.response()
                    #expect(response.status == status)
                    if status == 429 {
                        #expect(response["retry-after"] == "1")
                        #expect(response.body.contains("temporarily_unavailable"))
                    }
                }
            }
            try await open(server, from: "127.0.0.3") { connection in
                try await connection.send(request)
                #expect(try await connection.response().status == 401)
            }
        }
    }

    @Test func `plain HTTP without a forwarding field has no limit for one address`() async throws {
        let transport = StubTransport()
        defer { transport.giveUp() }
        var plain = RunningServer.Options.plain(transport)
        plain.requestLimits.browserBurst = 1
        plain.requestLimits.browserPerSecond = 1
        try await RunningServer.run(plain) { server in
            try await RawConnection.open(port: server.port) { connection in
                for _ in 0..<20 {
                    try await connection.send(Request.get("/__/auth/handler?state=x", server))
                    #expect(try await connection.response().status == 400)
                }
            }
        }
    }
}
