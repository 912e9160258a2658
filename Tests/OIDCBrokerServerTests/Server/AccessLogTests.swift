// SPDX-License-Identifier: Apache-2.0

import Logging
import OIDCBroker
import Testing
import TestingSupport

@testable import OIDCBrokerServer

/// The lines about requests of the standalone server, its own responses among them.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct AccessLogTests {
    /// The lines of requests on connections of their own, in their order.
    private func lines(isAsked: Bool = true, of requests: @escaping @Sendable (RunningServer) -> [String]) async throws
        -> [[String: String]]
    {
        let access = MetadataRecorder()
        let transport = StubTransport()
        defer { transport.giveUp() }
        var options = RunningServer.Options.plain(transport)
        options.accessLogger = access.logger
        options.configureServer = { configuration, _ in configuration.log.access = isAsked }
        try await RunningServer.run(options) { server in
            for request in requests(server) {
                try await RawConnection.open(port: server.port) { connection in
                    try await connection.send(request)
                    _ = try await connection.response()
                }
            }
        }
        return access.lines
    }

    @Test func `each request has one, with a path of ours or none`() async throws {
        let lines = try await self.lines { server in
            [
                Request.get("/__/auth/jwks?secret-in-a-query", server),
                Request.get("/elsewhere/secret-in-a-path", server), "NOT HTTP AT ALL\r\n\r\n",
            ]
        }
        #expect(lines.map { $0["status"] } == ["200", "404", "400"])
        #expect(lines.map { $0["path"] } == ["/__/auth/jwks", "other", "other"])
        #expect(lines.map { $0["method"] } == ["GET", "GET", "other"])
        #expect(lines.dropFirst().map { $0["bytes"] } == ["\(NotFound.text.utf8.count)", "0"])
        #expect(lines.allSatisfy { $0["version"] == "1.1" && $0["milliseconds"] != nil })
        #expect(!"\(lines)".contains("secret"))
    }

    @Test func `none is written unless the configuration asks for them`() async throws {
        let lines = try await self.lines(isAsked: false) { [Request.get("/__/auth/jwks", $0), Request.get("/x", $0)] }
        #expect(lines.isEmpty)
    }
}
