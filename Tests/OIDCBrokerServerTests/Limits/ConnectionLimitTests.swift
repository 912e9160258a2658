// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import OIDCBroker
import OIDCBrokerServer
import Testing
import TestingSupport

/// The limits on connections: how many are open, how fast they are opened and what they hold, over real sockets.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct ConnectionLimitTests {
    private func options(
        total: Int = 10_000, perAddress: Int = 256, trustedProxies: [IPNetwork] = []
    ) -> RunningServer.Options {
        var options = RunningServer.Options()
        options.configureServer = { configuration, _ in
            configuration.limits.connections = total
            configuration.limits.connectionsPerAddress = perAddress
            configuration.trustedProxies = trustedProxies
        }
        return options
    }

    /// Plain HTTP on loopback.
    private func plainOptions(
        _ transport: StubTransport, total: Int = 10_000, perAddress: Int = 256
    ) -> RunningServer.Options {
        var options = options(total: total, perAddress: perAddress)
        options.isSecure = false
        options.transport = transport
        return options
    }

    private func request(on connection: RawConnection, _ server: RunningServer) async throws {
        try await connection.send(Request.get("/__/auth/jwks", server))
        let response = try await connection.response()
        #expect(response.status == 200)
    }

    /// Whether a new connection from an address is served. One over a limit is closed before its handshake.
    private func isServed(_ server: RunningServer, from address: String) async -> Bool {
        do {
            try await RawConnection.open(
                port: server.port, from: address, tls: RawConnection.TLS(certificate: server.certificate)
            ) { try await request(on: $0, server) }
            return true
        } catch {
            return false
        }
    }

    /// Opens connections that have been served once and so were counted, runs a body, and checks that the body touched
    /// none of them.
    private func holding(
        _ count: Int, at server: RunningServer, from addresses: [String], _ body: () async throws -> Void
    ) async throws {
        guard count > 0, let address = addresses.first else { return try await body() }
        try await RawConnection.open(
            port: server.port, from: address, tls: RawConnection.TLS(certificate: server.certificate)
        ) { connection in
            try await request(on: connection, server)
            try await holding(
                count - 1, at: server, from: addresses.count > 1 ? Array(addresses.dropFirst()) : addresses, body)
            try await request(on: connection, server)
        }
    }

    @Test func `one more from an address is closed, those that are open are not, and another address connects`()
        async throws
    {
        try await RunningServer.run(options(perAddress: 3)) { server in
            try await holding(3, at: server, from: ["127.0.0.2"]) {
                // Another one each time: the server learns in its own time that one before has closed.
                for number in 3...7 {
                    #expect(await !isServed(server, from: "127.0.0.2"))
                    #expect(await isServed(server, from: "127.0.0.\(number)"))
                }
            }
            // When they are closed there is room again. The server learns of it in its own time.
            while await !isServed(server, from: "127.0.0.2") {}
        }
    }

    @Test func `one more than all may have is closed, from whatever address`() async throws {
        try await RunningServer.run(options(total: 3)) { server in
            try await holding(3, at: server, from: ["127.0.0.2", "127.0.0.3", "127.0.0.4"]) {
                for number in 2...6 { #expect(await !isServed(server, from: "127.0.0.\(number)")) }
            }
            while await !isServed(server, from: "127.0.0.5") {}
        }
    }

    @Test func `proxies that are trusted, and plain HTTP on loopback, have no limit for one address`() async throws {
        let trusted = options(perAddress: 1, trustedProxies: [try #require(IPNetwork("127.0.0.2"))])
        try await RunningServer.run(trusted) { server in
            try await holding(4, at: server, from: ["127.0.0.2"]) {
                #expect(await isServed(server, from: "127.0.0.2"))
                try await holding(1, at: server, from: ["127.0.0.3"]) {
                    #expect(await !isServed(server, from: "127.0.0.3"))
                }
            }
        }
        let transport = StubTransport()
        defer { transport.giveUp() }
        try await RunningServer.run(plainOptions(transport, perAddress: 1)) { server in
            try await RawConnection.open(port: server.port) { first in
                try await request(on: first, server)
                try await RawConnection.open(port: server.port) { try await request(on: $0, server) }
                try await request(on: first, server)
            }
        }
    }

    @Test func `without TLS the total holds too`() async throws {
        let transport = StubTransport()
        defer { transport.giveUp() }
        try await RunningServer.run(plainOptions(transport, total: 1)) { server in
            try await RawConnection.open(port: server.port) { first in
                try await request(on: first, server)
                await #expect(throws: (any Error).self) {
                    try await RawConnection.open(port: server.port) { try await request(on: $0, server) }
                }
                try await request(on: first, server)
            }
        }
    }

    // MARK: New connections

    /// A record with the head of a ServerHello, which costs neither side a handshake.
    private static let noClientHello: [UInt8] = [22, 3, 1, 0, 4, 2, 0, 0, 0]

    /// Whether TLS answers on a new connection from an address, with an alert.
    private func reachesTLS(_ server: RunningServer, from address: String) async throws -> Bool {
        try await RawConnection.open(port: server.port, from: address) { connection in
            // One that is refused may be closed by now.
            try? await connection.send(bytes: Self.noClientHello)
            return await !connection.rest().isEmpty
        }
    }

    @Test func `an address that opens connections faster than it may is closed before TLS, and another one connects`()
        async throws
    {
        try await RunningServer.run(options(perAddress: 64)) { server in
            // 128 at once, and 16 more each second that they take.
            var count = 0
            while count < 2000, try await reachesTLS(server, from: "127.0.0.2") { count += 1 }
            #expect((128..<2000).contains(count))
            #expect(await isServed(server, from: "127.0.0.3"))
        }
    }

    // MARK: Idle connections

    /// Runs a body while a connection from each address is open that was served once and is idle.
    private func withIdle(
        from addresses: ArraySlice<String>, at server: RunningServer, opened: [RawConnection] = [],
        _ body: ([RawConnection]) async throws -> Void
    ) async throws {
        guard let address = addresses.first else { return try await body(opened) }
        try await RawConnection.open(
            port: server.port, from: address, tls: RawConnection.TLS(certificate: server.certificate)
        ) { connection in
            try await request(on: connection, server)
            try await withIdle(from: addresses.dropFirst(), at: server, opened: opened + [connection], body)
        }
    }

    @Test func `where nearly all places are taken the largest holder's oldest idle connections go, and no others`()
        async throws
    {
        var options = options(total: 32)
        // What is closed is closed for another reason.
        options.limits.requestHeadDeadline = .hours(1)
        options.limits.idleTimeout = .hours(1)
        let crowd = Array(repeating: "127.0.0.2", count: 24)
        let others = [3, 3, 4, 5, 6, 7].map { "127.0.0.\($0)" }
        try await RunningServer.run(options) { server in
            try await withIdle(from: (crowd + others)[...], at: server) { connections in
                // The 31st: less than a sixteenth is left.
                #expect(await isServed(server, from: "127.0.0.8"))
                for connection in connections.prefix(16) { #expect(await connection.rest().isEmpty) }
                for connection in connections.dropFirst(16) { try await request(on: connection, server) }
            }
        }
    }

    // MARK: What they hold

    /// Requests on the first streams of a connection of HTTP/2.
    private static func requests(_ count: Int) -> [UInt8] {
        (0..<count).flatMap { HTTP2Wire.request(stream: UInt8(2 * $0 + 1), "GET", "/elsewhere") }
    }

    @Test func `all connections of an address hold an eighth of the memory, and one of another address is served`()
        async throws
    {
        let noWindow = HTTP2Wire.frame(type: 4, flags: 0, stream: 0, [0, 4, 0, 0, 0, 0])
        try await RunningServer.run { server in
            let memory = server.broker.memory
            // An eighth is 51 streams.
            memory.size = 4 << 20
            let tls = RawConnection.TLS(certificate: server.certificate, protocols: ["h2"])
            func open(from address: String, _ body: (RawConnection) async throws -> Void) async throws {
                try await RawConnection.open(port: server.port, from: address, tls: tls) { connection in
                    try await connection.send(bytes: HTTP2Wire.preface)
                    try await body(connection)
                }
            }
            try await open(from: "127.0.0.2") { unread in
                try await unread.send(bytes: noWindow + Self.requests(12))
                while memory.held(.responses) < 12 * HeldMemory.streamBytes { await Task.yield() }
                try await open(from: "127.0.0.2") { connection in
                    // One record of TLS, which is one read.
                    try await connection.send(bytes: Self.requests(45))
                    let frames = await connection.framesUntilClose()
                    let goAway = try #require(frames.first { $0.type == 7 })
                    // No stream was made, and ENHANCE_YOUR_CALM.
                    #expect(goAway.payload == [0, 0, 0, 0, 0, 0, 0, 11])
                }
                try await open(from: "127.0.0.3") { connection in
                    try await connection.send(bytes: Self.requests(45))
                    let frames = try await connection.frames(toEndOf: 1)
                    #expect(!frames.contains { $0.type == 7 })
                }
            }
        }
    }
}
