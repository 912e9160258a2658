// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import OIDCBroker
import OIDCBrokerHTTP
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

    @Test func `2,000 addresses at the limit, and one more user is not held up`() async throws {
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

    // MARK: What a client says of itself

    /// The number of forms at the callback, of as many as are described, that are not 429.
    private func passed(
        _ forms: [[String]], from client: String, on connection: RawConnection, _ server: RunningServer
    ) async throws -> Int {
        let form = "state=x&code=y"
        var count = 0
        for fields in forms {
            let head = [
                "Host: \(server.authority)", "X-Forwarded-For: " + client,
                "Content-Type: application/x-www-form-urlencoded", "Content-Length: \(form.utf8.count)",
            ]
            try await connection.send(Request.head("POST /__/auth/handler HTTP/1.1", head + fields) + form)
            if try await connection.response().status != 429 { count += 1 }
        }
        return count
    }

    /// The Fetch Metadata of forms at the callback, and how many of ten at once pass.
    private static let described: [(fields: [String], passes: Int)] = [
        ([], 10),
        (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"], 10),
        // A service worker passes a navigation on with this destination.
        (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: empty"], 10),
        (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"], 1),
        (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"], 1),
        (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty"], 1),
        (["Sec-Fetch-Site: \"none\"", "Sec-Fetch-Mode: \"navigate\""], 1),
        (["Sec-Fetch-Mode: no-cors"], 10),
    ]

    @Test func `what a form at the callback says of itself never lets more of them through than saying nothing`()
        async throws
    {
        var options = options(browsers: 10)
        options.isSecure = false
        options.configureServer = { configuration, _ in
            // Each client of a proxy is answered at once.
            configuration.trustedProxies = ["127.0.0.1"].compactMap { IPNetwork($0) }
            configuration.forwarded = .xForwardedFor
        }
        try await RunningServer.run(options) { server in
            try await RawConnection.open(port: server.port) { connection in
                for (number, row) in Self.described.enumerated() {
                    let client = "198.51.100.\(number)"
                    let forms = Array(repeating: row.fields, count: 12)
                    #expect(try await passed(forms, from: client, on: connection, server) == row.passes, "\(row)")
                    // Those that passed are among the ten of the client, whatever is said then.
                    let silent = Array(repeating: [String](), count: 12)
                    let rest = try await passed(silent, from: client, on: connection, server)
                    #expect(rest == 10 - row.passes, "\(row)")
                    #expect(try await passed(forms, from: client, on: connection, server) == 0, "\(row)")
                }
            }
        }
    }
}
