// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerServer
import Testing
import TestingSupport

/// A server that listens on a Unix domain socket.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct UnixSocketTests {
    /// - Parameter path: The path of the socket; `nil` for one in the server's own directory.
    private static func options(path: String? = nil) -> RunningServer.Options {
        var options = RunningServer.Options()
        options.isSecure = false
        options.configureServer = { configuration, directory in
            configuration.unixSocket = path ?? directory.file("broker.sock")
            configuration.forwarded = .xForwardedFor
        }
        return options
    }

    private static func get(_ server: RunningServer) -> String {
        Request.get("/__/auth/jwks", server, ["X-Forwarded-For: 198.51.100.7"])
    }

    @Test func `serves on it, and removes it when it drains`() async throws {
        try await RunningServer.run(Self.options()) { server in
            let path = server.directory.file("broker.sock")
            let address = try await server.server.boundAddress()
            #expect(address.pathname == path)
            #expect(FileManager.default.fileExists(atPath: path))
            try await RawConnection.open(unixSocket: path) { connection in
                for _ in 1...2 {
                    try await connection.send(Self.get(server))
                    #expect(try await connection.response().status == 200)
                }
                await server.beginGracefulShutdown()
                #expect(await connection.rest().isEmpty)
            }
            try await server.finish()
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func `many connections at once are accepted`() async throws {
        try await RunningServer.run(Self.options()) { server in
            let path = server.directory.file("broker.sock")
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        try await RawConnection.open(unixSocket: path) { connection in
                            try await connection.send(Self.get(server))
                            return try await connection.response().status
                        }
                    }
                }
                for try await status in group { #expect(status == 200) }
            }
        }
    }

    @Test func `a second server does not take the socket of one that listens`() async throws {
        try await RunningServer.run(Self.options()) { server in
            let path = server.directory.file("broker.sock")
            await #expect(throws: ListenerError.self) {
                try await RunningServer.run(Self.options(path: path)) { _ in }
            }
            try await RawConnection.open(unixSocket: path) { connection in
                try await connection.send(Self.get(server))
                #expect(try await connection.response().status == 200)
            }
        }
    }

    @Test func `a file at the path is no socket that was left behind`() async throws {
        try await TemporaryDirectory.use { directory in
            let path = try directory.write("broker.sock", "precious".utf8)
            let error = await #expect(throws: ListenerError.self) {
                try await RunningServer.run(Self.options(path: path)) { _ in }
            }
            #expect(error?.description.contains("is not a socket") == true)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
        }
    }
}
