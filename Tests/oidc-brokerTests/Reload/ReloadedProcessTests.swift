// SPDX-License-Identifier: Apache-2.0

#if SQLite && os(Linux)
    import Crypto
    import Foundation
    import JOSE
    import Testing
    import TestingSupport

    /// A configuration that changes under `oidc-broker serve`, a process of its own.
    @Suite(.onSockets, .timeLimit(.minutes(10))) struct ReloadedProcessTests {
        private static let reloaded = "configuration reloaded"
        private static let refused = "configuration not reloaded"

        /// The configuration file, and what is written to it.
        private struct File {
            let path: String
            let trigger: String
            private let sealingKey = Base64.encode(SecureRandom.bytes(32))
            private let signingKey = P256.Signing.PrivateKey().pemRepresentation

            init(_ path: String, trigger: String) {
                self.path = path
                self.trigger = trigger
            }

            func write(redirectURI: String, portOfServer: Int64 = 0) throws {
                let auth: JSONObject = [
                    "public-url": "http://localhost:1", "sealing-keys": [.string(sealingKey)],
                    "signing-keys": .string(signingKey), "providers": ["acme"],
                    "provider": [
                        "acme": [
                            "issuer": "https://login.acme.example", "client-id": "broker",
                            "client-secret": "hush-hush",
                        ]
                    ],
                    "apps": ["shop"], "app": ["shop": ["redirect-uris": [.string(redirectURI)]]],
                ]
                let server: JSONObject = ["port": .number(JSONNumber(portOfServer)), "reload": .string(trigger)]
                let configuration: JSONObject = ["auth": .object(auth), "server": .object(server)]
                try Data(configuration.serialized()).write(to: URL(filePath: path), options: .atomic)
            }
        }

        private static func run(trigger: String, _ body: (File, ServerProcess) async throws -> Void) async throws {
            let folder = FileManager.default.temporaryDirectory.path + "/reloaded-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let file = File(folder + "/broker.json", trigger: trigger)
            try file.write(redirectURI: "https://shop.example/one")
            let server = try await ServerProcess.start(config: file.path)
            do {
                try await body(file, server)
            } catch {
                server.kill()
                throw error
            }
            server.send(SIGTERM)
            #expect(await server.end() == 0)
        }

        @Test func `SIGHUP reads the configuration, and ends nothing`() async throws {
            try await Self.run(trigger: "signal") { file, server in
                try file.write(redirectURI: "https://shop.example/two")
                server.send(SIGHUP)
                try await server.wait(for: Self.reloaded)
                try file.write(redirectURI: "no URL")
                server.send(SIGHUP)
                try await server.wait(for: Self.refused)
                try file.write(redirectURI: "https://shop.example/four", portOfServer: 1)
                server.send(SIGHUP)
                try await server.wait(for: "need a restart")
            }
        }

        @Test func `a change of the file is seen without a signal`() async throws {
            try await Self.run(trigger: "watch") { file, server in
                try Data("{\"auth\":".utf8).write(to: URL(filePath: file.path))
                try await server.wait(for: Self.refused)
                try file.write(redirectURI: "https://shop.example/two")
                try await server.wait(for: Self.reloaded)
            }
        }
    }
#endif
