// SPDX-License-Identifier: Apache-2.0

#if SQLite && os(Linux)
    import AsyncHTTPClient
    import Crypto
    import Foundation
    import JOSE
    import Logging
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import OIDCBroker
    import OIDCBrokerServer
    import OIDCBrokerTesting
    import OpenIDConnect
    import OpenIDRelyingParty
    import TestingSupport

    /// The folder of a server with accounts, two providers, and an app that talks to the server as an SDK does.
    struct ServedAccounts: Sendable {
        static let project = "acme-people"
        private static let apiKey = "key-of-the-phone"
        /// The client ID of the app at a provider. No two providers have the same one.
        private static func audience(at provider: String) -> String { "com.example.app-at-\(provider)" }

        let folder: String
        let providers: [String: OpenIDProvider]
        /// The connection string of the server of PostgreSQL with the accounts; `nil` if they are in a file.
        private let connection: String?
        /// Of this folder alone: a later server may get the port of one that was killed.
        private let client: HTTPClient

        /// The database, as in `auth.accounts.database`.
        private var database: String { connection == nil ? "sqlite:\(folder)/accounts.sqlite" : "postgresql" }
        var config: String { folder + "/broker.json" }

        /// Runs a body with providers that listen, and a folder that is removed afterwards.
        static func run(
            on engine: AccountsEngine = .sqlite, _ body: (ServedAccounts) async throws -> Void
        ) async throws {
            try await engine.run { connection in try await run(connection, body) }
        }

        private static func run(
            _ connection: String?, _ body: (ServedAccounts) async throws -> Void
        ) async throws {
            let folder = FileManager.default.temporaryDirectory.path + "/served-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            var providers: [String: OpenIDProvider] = [:]
            for name in ["acme", "bold"] {
                let clients = ["broker", audience(at: name)].map {
                    OpenIDProvider.Client(id: $0, secret: "client-secret-\($0)")
                }
                providers[name] = try await OpenIDProvider.start(
                    OpenIDProvider.Configuration(clients: clients), on: MultiThreadedEventLoopGroup.singleton)
            }
            let client = HTTPClient(eventLoopGroupProvider: .singleton)
            let wire = ServedAccounts(
                folder: folder, providers: providers, connection: connection, client: client)
            try await attempt {
                try wire.writeConfiguration()
                if connection != nil {
                    let end = try await CommandProcess.run(["store", "migrate", "--config", wire.config])
                    guard end.status == 0 else { throw ServerProcess.Ended(output: end.errors) }
                }
                try await body(wire)
            } finally: {
                for provider in providers.values { try await provider.shutdown() }
                try await client.shutdown()
            }
        }

        private func writeConfiguration() throws {
            var provider: JSONObject = [:]
            for (name, running) in providers {
                provider[name] = [
                    "issuer": .string(running.issuer), "insecure-loopback-issuer": true, "client-id": "broker",
                    "client-secret": "client-secret-broker",
                ]
            }
            let key: JSONValue = .string(P256.Signing.PrivateKey().pemRepresentation)
            var auth: JSONObject = [
                // The port is not known yet. The requests name this authority.
                "public-url": "http://localhost:1", "sealing-keys": [.string(Base64.encode(SecureRandom.bytes(32)))],
                "signing-keys": .string(P256.Signing.PrivateKey().pemRepresentation),
                "providers": .array(providers.keys.sorted().map { .string($0) }), "provider": .object(provider),
                "apps": ["shop"], "app": ["shop": ["redirect-uris": ["https://shop.example/callback"]]],
                "accounts": [
                    "project-id": .string(Self.project), "database": .string(database),
                    "signing-keys": key,
                ],
                "sdk-apps": ["phone"],
                "sdk-app": [
                    "phone": [
                        "kind": "ios", "api-key": .string(Self.apiKey),
                        "native-audiences": .array(
                            providers.keys.sorted().map { .string("\($0):\(Self.audience(at: $0))") }),
                    ]
                ],
            ]
            if let connection { auth["store"] = ["postgresql": ["connection": .string(connection)]] }
            let configuration: JSONObject = ["auth": .object(auth), "server": ["port": 0]]
            _ = FileManager.default.createFile(
                atPath: config, contents: Data(configuration.serialized()),
                attributes: [.posixPermissions: 0o600])
        }

        /// Opens the database itself, beside a server or after one.
        func openDatabase() throws -> AccountDatabase {
            var store = StoreConfiguration()
            store.postgresql.connection = connection.map { Secret($0) }
            return try AccountDatabase(
                AccountsConfiguration(projectID: Self.project, database: database, apps: []), beside: store,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        }

        /// Signs users in until the server has its connections to the database. The first ones to a new one take longer
        /// than the time that they have where the machine is busy.
        func settle(_ server: ServerProcess) async throws {
            var isSettled = false
            while !isSettled {
                isSettled = try await withThrowingTaskGroup(of: Bool.self) { tasks in
                    for number in 0..<8 {
                        tasks.addTask { try await !signIn("early-\(number)", to: server).isUnavailable }
                    }
                    return try await tasks.reduce(true) { $0 && $1 }
                }
            }
        }

        /// What a request was answered.
        struct Answer {
            let status: Int
            let contentType: String?
            let body: [UInt8]

            var members: JSONObject {
                (try? JSONParser.object(body, limits: JSONLimits(maximumBytes: 65_536))) ?? JSONObject()
            }
            func text(_ name: String) -> String? { members[name]?.text?.makeString() }
            /// A failure of the server, which signs no user out.
            var isUnavailable: Bool { status == 503 && body.isEmpty && contentType?.hasPrefix("text/plain") == true }
        }

        /// Signs a user in, or links the identity to the account of an ID token.
        func signIn(
            _ subject: String, at name: String = "acme", linkingTo idToken: String? = nil, to server: ServerProcess
        ) async throws -> Answer {
            guard let provider = providers[name] else { throw ServerProcess.Ended(output: "no provider \(name)") }
            let rawNonce = Base64URL.encode(SecureRandom.bytes(16))
            let credential = try provider.nativeCredential(
                clientID: Self.audience(at: name), rawNonce: rawNonce,
                person: OpenIDProvider.Person(
                    email: "\(subject)@\(name).example", password: "", name: "Ada", subject: subject))
            var body: JSONObject = [
                "requestUri": "http://localhost", "returnIdpCredential": true,
                "postBody": .string("id_token=\(credential.idToken)&providerId=oidc.\(name)&nonce=\(rawNonce)"),
            ]
            if let idToken { body["idToken"] = .string(idToken) }
            return try await post("accounts:signInWithIdp", body, to: server)
        }

        func post(_ operation: String, _ body: JSONObject, to server: ServerProcess) async throws -> Answer {
            try await send(
                "/identitytoolkit.googleapis.com/v1/" + operation, body.serialized(), "application/json", to: server)
        }

        func refresh(_ refreshToken: String, to server: ServerProcess) async throws -> Answer {
            try await send(
                "/securetoken.googleapis.com/v1/token",
                Array("grant_type=refresh_token&refresh_token=\(refreshToken)".utf8),
                "application/x-www-form-urlencoded", to: server)
        }

        private func send(
            _ path: String, _ body: [UInt8], _ contentType: String, to server: ServerProcess
        ) async throws -> Answer {
            var request = HTTPClientRequest(url: "http://127.0.0.1:\(server.port)\(path)?key=\(Self.apiKey)")
            request.method = .POST
            request.headers = ["host": "localhost:1", "content-type": contentType]
            request.body = .bytes(ByteBuffer(bytes: body))
            let response = try await client.execute(request, timeout: .seconds(60))
            let received = try await response.body.collect(upTo: 65_536)
            return Answer(
                status: Int(response.status.code), contentType: response.headers.first(name: "content-type"),
                body: Array(received.readableBytesView))
        }
    }
#endif
