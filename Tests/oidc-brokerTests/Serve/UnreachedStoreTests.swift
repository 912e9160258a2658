// SPDX-License-Identifier: Apache-2.0

#if SQLite && os(Linux)
    import Crypto
    import Foundation
    import JOSE
    import Testing
    import TestingSupport

    /// `oidc-broker serve`, a process of its own, whose store was never reached.
    @Suite(.onSockets, .timeLimit(.minutes(10))) struct UnreachedStoreTests {
        private static func configuration() -> JSONObject {
            let auth: JSONObject = [
                "public-url": "http://localhost:1", "sealing-keys": [.string(Base64.encode(SecureRandom.bytes(32)))],
                "signing-keys": .string(P256.Signing.PrivateKey().pemRepresentation), "providers": ["acme"],
                "provider": [
                    "acme": [
                        "issuer": "https://login.acme.example", "client-id": "broker", "client-secret": "hush-hush",
                    ]
                ],
                "apps": ["shop"], "app": ["shop": ["redirect-uris": ["https://shop.example/callback"]]],
                // There is no listener, and only root could listen there.
                "store": ["kind": "valkey", "valkey": ["address": "127.0.0.1:1"]],
            ]
            return ["auth": .object(auth), "server": ["port": 0]]
        }

        @Test(arguments: [SIGTERM, SIGINT])
        func `a signal ends it, although it waits for the store`(signal: Int32) async throws {
            let folder = FileManager.default.temporaryDirectory.path + "/unreached-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let path = folder + "/broker.json"
            try Data(Self.configuration().serialized()).write(to: URL(filePath: path))
            let server = try await ServerProcess.start(config: path)
            server.send(signal)
            // If it waited for the store, it would be for good.
            #expect(await server.end() == 0)
        }
    }
#endif
