// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import OIDCBroker
import NIOHTTP1
import AsyncHTTPClient
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerServer
import OIDCBrokerTesting
import Testing
import TestingSupport

/// Graceful shutdown: waiting requests get their responses, new connections are refused, idle ones are closed, and
/// `run()` returns.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct DrainTests {
    /// The drain deadline is far: what ends in time did not end by it.
    private static func options(
        isSecure: Bool, transport: StubTransport? = nil, logger: LogRecorder? = nil
    ) -> RunningServer.Options {
        var options = RunningServer.Options()
        options.isSecure = isSecure
        options.limits.drainDeadline = .hours(1)
        options.transport = transport
        if let logger { options.logger = logger.logger }
        return options
    }

    private static func tls(_ server: RunningServer) -> RawConnection.TLS? {
        server.publicURL.isSecure ? RawConnection.TLS(certificate: server.certificate) : nil
    }

    /// Returns once a connection is refused.
    private static func waitUntilRefused(_ server: RunningServer) async {
        while (try? await RawConnection.open(port: server.port) { _ in }) != nil {}
    }

    @Test(arguments: [false, true])
    func `a request in flight is answered, new connections are refused`(isSecure: Bool) async throws {
        let transport = StubTransport()
        defer { transport.giveUp() }
        try await RunningServer.run(Self.options(isSecure: isSecure, transport: transport)) { server in
            try await RawConnection.open(port: server.port, tls: Self.tls(server)) { connection in
                try await connection.send(Request.start(server))
                let waiting = try await transport.next()
                await server.beginGracefulShutdown()
                await Self.waitUntilRefused(server)
                waiting.succeedWithMetadata()
                let response = try await connection.response()
                #expect(response.status == 303)
                #expect(response["connection"]?.lowercased() == "close")
                #expect(await connection.rest().isEmpty)
            }
            try await server.finish()
        }
    }

    @Test func `a request in flight on HTTP/2 is answered`() async throws {
        let transport = StubTransport()
        defer { transport.giveUp() }
        let http = try HTTPBrowser.makeHTTPClient(
            trusting: try TestCertificate.shared().certificatePEM, version: .automatic)
        try await attempt {
            try await RunningServer.run(Self.options(isSecure: true, transport: transport)) { server in
                let url = AppClient.publicApp.authorizationURL(issuer: server.issuer, AppClient.Attempt())
                async let response = HTTPBrowser(http).open(url)
                let waiting = try await transport.next()
                await server.beginGracefulShutdown()
                await Self.waitUntilRefused(server)
                waiting.succeedWithMetadata()
                let page = try await response
                #expect(page.version == .http2)
                #expect(page.status == 303)
                try await server.finish()
            }
        } finally: {
            try await http.shutdown()
        }
    }

    @Test(arguments: [false, true])
    func `idle connections close at once, those that never spoke too`(isSecure: Bool) async throws {
        try await RunningServer.run(Self.options(isSecure: isSecure)) { server in
            try await RawConnection.open(port: server.port, tls: Self.tls(server)) { idle in
                try await idle.send(Request.get("/__/auth/jwks", server))
                #expect(try await idle.response().status == 200)
                try await RawConnection.open(port: server.port, tls: Self.tls(server)) { silent in
                    await server.beginGracefulShutdown()
                    #expect(await idle.rest().isEmpty)
                    #expect(await silent.rest().isEmpty)
                }
            }
            try await server.finish()
        }
    }

    @Test func `idle HTTP/2 connections close at once`() async throws {
        let http = try HTTPBrowser.makeHTTPClient(
            trusting: try TestCertificate.shared().certificatePEM, version: .automatic)
        try await attempt {
            try await RunningServer.run(Self.options(isSecure: true)) { server in
                let page = try await HTTPBrowser(http).open(server.issuer + "/jwks")
                #expect(page.version == .http2)
                #expect(page.status == 200)
                await server.beginGracefulShutdown()
                // The client keeps its connection until the server sends GOAWAY.
                try await server.finish()
            }
        } finally: {
            try await http.shutdown()
        }
    }

    @Test func `what outlives the deadline is closed`() async throws {
        let transport = StubTransport()
        defer { transport.giveUp() }
        var options = Self.options(isSecure: false, transport: transport)
        options.limits.drainDeadline = .milliseconds(100)
        try await RunningServer.run(options) { server in
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send(Request.start(server))
                let waiting = try await transport.next()
                await server.beginGracefulShutdown()
                #expect(await connection.rest().isEmpty)
                try await server.finish()
                waiting.fail()
            }
        }
    }

    @Test func `a server without connections ends at once`() async throws {
        try await RunningServer.run(Self.options(isSecure: true)) { server in
            await server.beginGracefulShutdown()
            try await server.finish()
            await Self.waitUntilRefused(server)
        }
    }
}
