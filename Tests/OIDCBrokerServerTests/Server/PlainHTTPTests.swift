// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerServer
import OIDCBrokerTesting
import Testing
import TestingSupport

/// Plain HTTP is for loopback only.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct PlainHTTPTests {
    private static func server(host: String) throws -> BrokerServer {
        let publicURL = try #require(PublicURL("http://localhost:1"))
        let broker = try Broker(
            configuration: .test(publicURL: publicURL, apps: [AppClient.publicApp.configuration]),
            transport: StubTransport(), logger: .quiet)
        return try BrokerServer(
            configuration: ServerConfiguration(host: host, port: 0), broker: broker,
            eventLoopGroup: RunningServer.eventLoops, logger: .quiet)
    }

    @Test(arguments: ["0.0.0.0", "::", "192.0.2.1", "broker.example", "localhost.example", "128.0.0.1"])
    func `refused elsewhere`(host: String) throws {
        let error = #expect(throws: BrokerConfigurationError.self) { _ = try Self.server(host: host) }
        #expect(error?.errors.map(\.key) == ["server.host"])
    }

    @Test(arguments: ["127.0.0.1", "localhost", "127.1.2.3", "::1"])
    func `allowed on loopback`(host: String) throws {
        #expect(throws: Never.self) { _ = try Self.server(host: host) }
    }

    @Test func `cookies follow the public URL`() async throws {
        let transport = StubTransport()
        defer { transport.giveUp() }
        try await RunningServer.run(.plain(transport)) { server in
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send(Request.start(server))
                try await transport.next().succeedWithMetadata()
                let response = try await connection.response()
                #expect(response.status == 303)
                #expect(response["location"]?.hasPrefix("https://provider.invalid/authorize?") == true)
                let cookie = try #require(response["set-cookie"])
                #expect(cookie.hasPrefix("oidc-"))
                #expect(cookie.contains("; HttpOnly; SameSite=Lax"))
                #expect(!cookie.contains("Secure"))
            }
        }
    }
}
