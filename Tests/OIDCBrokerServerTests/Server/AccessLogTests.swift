// SPDX-License-Identifier: Apache-2.0

import Logging
import OIDCBroker
import OIDCBrokerServer
import Synchronization
import Testing
import TestingSupport

/// The lines about requests of the standalone server, its own responses among them.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct AccessLogTests {
    /// The lines that were written.
    private final class Lines: Sendable {
        private let storage = Mutex<[[String: String]]>([])

        var all: [[String: String]] { storage.withLock { $0 } }
        var logger: Logger { Logger(label: "auth.access") { _ in Handler(lines: self) } }

        private struct Handler: LogHandler {
            let lines: Lines
            var metadata: Logger.Metadata = [:]
            var metadataProvider: Logger.MetadataProvider?
            var logLevel = Logger.Level.info

            init(lines: Lines) { self.lines = lines }

            func log(event: LogEvent) {
                lines.storage.withLock { $0.append((event.metadata ?? [:]).mapValues { "\($0)" }) }
            }

            subscript(metadataKey key: String) -> Logger.Metadata.Value? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }
        }
    }

    /// The lines of requests on connections of their own, in their order.
    private func lines(isAsked: Bool = true, of requests: @escaping @Sendable (RunningServer) -> [String]) async throws
        -> [[String: String]]
    {
        let lines = Lines()
        let transport = StubTransport()
        defer { transport.giveUp() }
        var options = RunningServer.Options.plain(transport)
        options.accessLogger = lines.logger
        options.configureServer = { configuration, _ in configuration.log.access = isAsked }
        try await RunningServer.run(options) { server in
            for request in requests(server) {
                try await RawConnection.open(port: server.port) { connection in
                    try await connection.send(request)
                    _ = try await connection.response()
                }
            }
        }
        return lines.all
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
        #expect(lines.dropFirst().map { $0["bytes"] } == ["14", "0"])
        #expect(lines.allSatisfy { $0["version"] == "1.1" && $0["milliseconds"] != nil })
        #expect(!"\(lines)".contains("secret"))
    }

    @Test func `none is written unless the configuration asks for them`() async throws {
        let lines = try await self.lines(isAsked: false) { [Request.get("/__/auth/jwks", $0), Request.get("/x", $0)] }
        #expect(lines.isEmpty)
    }
}
