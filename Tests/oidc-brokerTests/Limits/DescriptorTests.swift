// SPDX-License-Identifier: Apache-2.0

#if SQLite && os(Linux)
    import AsyncHTTPClient
    import Crypto
    import Foundation
    import JOSE
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import Testing
    import TestingSupport

    /// `oidc-broker serve`, a process of its own, that runs out of descriptors.
    @Suite(.onSockets, .timeLimit(.minutes(10))) struct DescriptorTests {
        private static let exhausted = "cannot accept connections"
        /// The public URL of the configuration. The port is not known yet, and the requests name this authority.
        private static let authority = "localhost:1"

        private static func run(_ body: (ServerProcess) async throws -> Void) async throws {
            let folder = FileManager.default.temporaryDirectory.path + "/descriptors-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let auth: JSONObject = [
                "public-url": .string("http://" + authority),
                "sealing-keys": [.string(Base64.encode(SecureRandom.bytes(32)))],
                "signing-keys": .string(P256.Signing.PrivateKey().pemRepresentation), "providers": ["acme"],
                "provider": [
                    "acme": [
                        "issuer": "https://login.acme.example", "client-id": "broker", "client-secret": "hush-hush",
                    ]
                ],
                "apps": ["shop"], "app": ["shop": ["redirect-uris": ["https://shop.example/callback"]]],
            ]
            let configuration: JSONObject = [
                "auth": .object(auth), "server": ["port": 0, "reload": "signal"],
            ]
            let path = folder + "/broker.json"
            try Data(configuration.serialized()).write(to: URL(filePath: path))
            let server = try await ServerProcess.start(config: path)
            do {
                try await body(server)
            } catch {
                server.kill()
                throw error
            }
            server.send(SIGTERM)
            #expect(await server.end() == 0)
        }

        /// Sends a request over a connection of its own, which waits until it is accepted.
        private static func status(of server: ServerProcess) async throws -> UInt {
            let client = HTTPClient(eventLoopGroupProvider: .singleton)
            return try await attempt {
                var request = HTTPClientRequest(url: "http://127.0.0.1:\(server.port)/__/auth/jwks")
                request.headers.add(name: "host", value: authority)
                return try await client.execute(request, timeout: .seconds(60)).status.code
            } finally: {
                try await client.shutdown()
            }
        }

        @Test func `it waits without work, says so, and serves again when some are given back`() async throws {
            try await Self.run { server in
                #expect(try await Self.status(of: server) == 200)
                let limited = ContinuousClock.now
                let limit = try server.openFiles() + 8
                try server.limitOpenFiles(to: limit)
                let connections = try await withThrowingTaskGroup(of: (any Channel).self) { group in
                    for _ in 0..<40 {
                        group.addTask {
                            try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                                .connect(host: "127.0.0.1", port: server.port).get()
                        }
                    }
                    return try await group.reduce(into: [any Channel]()) { $0.append($1) }
                }
                try await server.wait(for: Self.exhausted)
                // The line comes once a second at most. An event loop that tries all the time uses all of a processor.
                let began = ContinuousClock.now
                let before = try server.processorTime()
                var lines = 1
                var fewest = limit
                repeat {
                    try await server.wait(for: Self.exhausted)
                    lines += 1
                    fewest = min(fewest, try server.openFiles())
                } while ContinuousClock.now - began < Duration.seconds(2)
                let used = try server.processorTime() - before
                // What has begun can open some, and may have.
                #expect(fewest <= limit - 4)
                let now = ContinuousClock.now
                let passed = (now - began) / Duration.seconds(1)
                #expect(used < passed / 2, "\(used) s of \(passed) s")
                // Those that came while this test had no processor were read at once.
                let inAll = (now - limited) / Duration.seconds(1)
                #expect(Double(lines) <= inAll + 2, "\(lines) lines in \(inAll) s")
                for connection in connections { try? await connection.close() }
                #expect(try await Self.status(of: server) == 200)
            }
        }
    }
#endif
