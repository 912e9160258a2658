// SPDX-License-Identifier: Apache-2.0

import Admission
import Metrics
import NIOCore
import OIDCBroker
import OIDCBrokerNIO
import Testing
import TestingSupport

@testable import OIDCBrokerHTTP
@testable import OIDCBrokerServer

/// Proxies in front, 127.0.0.1, and others who connect, 127.0.0.2.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct TrustedProxyTests {
    private static let stranger = "127.0.0.2"

    private static func options(
        isSecure: Bool = false, host: String = "127.0.0.1", proxies: [String] = ["127.0.0.1"],
        _ field: ForwardedField = .xForwardedFor
    ) -> RunningServer.Options {
        var options = RunningServer.Options()
        options.isSecure = isSecure
        // A connection that is not closed at once stays.
        options.limits.requestHeadDeadline = .hours(1)
        options.configureServer = { configuration, _ in
            configuration.host = host
            configuration.trustedProxies = proxies.compactMap { IPNetwork($0) }
            configuration.forwarded = field
        }
        return options
    }

    @Test(arguments: ["127.0.0.1", "0.0.0.0"], [ForwardedField.none, .xForwardedFor, .forwarded])
    func `over plain HTTP the proxy is served, and any other peer is closed before a byte is read`(
        host: String, field: ForwardedField
    ) async throws {
        try await RunningServer.run(Self.options(host: host, field)) { server in
            try await RawConnection.open(port: server.port, from: Self.stranger) { connection in
                // It sent nothing.
                #expect(await connection.rest().isEmpty)
            }
            try await RawConnection.open(port: server.port, from: Self.stranger) { connection in
                try? await connection.send(Request.get("/__/auth/jwks", server, ["X-Forwarded-For: 127.0.0.1"]))
                #expect(await connection.rest().isEmpty)
            }
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send(Request.get("/__/auth/jwks", server, ["X-Forwarded-For: 198.51.100.7"]))
                #expect(try await connection.response().status == 200)
                // What cannot be read is no reason to refuse a request.
                try await connection.send(
                    Request.get("/__/auth/jwks", server, ["X-Forwarded-For: \"", "Forwarded: for=\""]))
                #expect(try await connection.response().status == 200)
            }
        }
    }

    @Test func `over TLS all peers are served`() async throws {
        try await RunningServer.run(Self.options(isSecure: true)) { server in
            for source in ["127.0.0.1", Self.stranger] {
                let tls = RawConnection.TLS(certificate: server.certificate)
                try await RawConnection.open(port: server.port, from: source, tls: tls) { connection in
                    try await connection.send(Request.get("/__/auth/jwks", server, ["X-Forwarded-For: 198.51.100.7"]))
                    #expect(try await connection.response().status == 200)
                }
            }
        }
    }

    @Test func `a reload holds for the next connection, and closes none that is open`() async throws {
        try await RunningServer.run(Self.options()) { server in
            try await RawConnection.open(port: server.port) { open in
                try await open.send(Request.get("/__/auth/jwks", server))
                #expect(try await open.response().status == 200)
                var next = server.server.live.current
                next.trustedProxies = ["127.0.0.2"].compactMap { IPNetwork($0) }
                try server.server.reload(next)
                try await RawConnection.open(port: server.port) { connection in
                    #expect(await connection.rest().isEmpty)
                }
                try await RawConnection.open(port: server.port, from: Self.stranger) { connection in
                    try await connection.send(Request.get("/__/auth/jwks", server))
                    #expect(try await connection.response().status == 200)
                }
                try await open.send(Request.get("/__/auth/jwks", server))
                #expect(try await open.response().status == 200)
            }
        }
    }

    @Test func `a peer on a Unix domain socket is told apart from one without an address`() async throws {
        try await TemporaryDirectory.use { directory in
            let path = directory.file("broker.sock")
            let (peers, continuation) = AsyncStream.makeStream(of: ClientAddressing.Peer.self)
            let socket = try await ListeningSocket.open(
                .unixSocket(path: path), on: RunningServer.eventLoops, logger: .quiet,
                metricsFactory: NOOPMetricsHandler.instance
            ) { channel in
                let addressing = ClientAddressing.forwarded(in: .xForwardedFor, by: .none)
                continuation.yield(addressing.peer(channel.remoteAddress))
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(InputClosedHandler())
                }
            }
            try await RawConnection.open(unixSocket: path) { _ in
                var all = peers.makeAsyncIterator()
                let peer = await all.next()
                #expect(peer == .proxy(nil, .xForwardedFor, .none))
            }
            try await socket.drain().get()
        }
    }
}
