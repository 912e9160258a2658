// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import OIDCBroker
import OIDCBrokerServer
import Testing
import TestingSupport

/// The limits on open connections, over real sockets.
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

    /// Opens connections, all of which have been served once and so were counted, runs a body, and checks that the body
    /// touched none of them.
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
}
