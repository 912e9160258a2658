// SPDX-License-Identifier: Apache-2.0

import Foundation
import JOSE
import Logging
import NIOCore
import NIOPosix
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerValkey
import SingleUse
import Synchronization
import Testing
import TestingSupport

#if PostgreSQL
    import OIDCBrokerPostgreSQL
#endif

/// What a real engine holds, and was told, after a run over everything that stores something: hashes and ciphertext.
@Suite(.onSockets, .timeLimit(.minutes(10)))
struct StoredContentTests {
    private static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }

    /// Every write is in a file, uncompressed.
    private static let appending = [
        "--appendonly", "yes", "--appendfsync", "always", "--aof-use-rdb-preamble", "no",
    ]

    private static func files(in folder: URL) -> [UInt8] {
        let paths = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (paths?.allObjects ?? []).compactMap { $0 as? URL }
            .filter { $0.pathExtension == "aof" || $0.lastPathComponent.contains(".aof") }
            .compactMap { try? Data(contentsOf: $0) }.flatMap { Array($0) }
    }

    /// Stores a secret in each of the forms in which it must be found.
    private static func plant(_ secret: String, in store: any SingleUseStore) throws {
        let decoded = try #require(Base64URL.decode(secret))
        let values = [
            Array(secret.utf8), Array(Base64URL.encode(Array(secret.utf8)).utf8),
            StoredContent.hexadecimal(Array(secret.utf8)), decoded, StoredContent.hexadecimal(decoded),
        ]
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        for (number, value) in values.enumerated() {
            let key = SingleUseKey(bytes: [UInt8](repeating: UInt8(number), count: 32))
            let put = try BlockingStore(store).put(
                key, value: value, owner: nil, lifetime: .seconds(60), on: eventLoop
            ).wait()
            #expect(put == .stored)
        }
    }

    private static let forms = ["raw", "base64url", "hex", "decoded", "decoded hex"]
    /// A code that was never issued.
    private static let planted = Base64URL.encode([UInt8](200..<232))

    @Test(.enabled(if: RedisInstallation.isRequired, "needs redis-server")) func `of Valkey or Redis`() async throws {
        try await RedisServer.run(Self.appending) { server async throws in
            let monitor = try await RedisMonitor(server)
            let store = ValkeySingleUseStore(
                ValkeyConfiguration(address: .socket(path: server.socketPath)), logger: Self.silent)
            let run = try Self.run(store)
            let told = try await monitor.end()
            let commands = StoredContent(told + StoredContent.unescaped(told))
            let kept = StoredContent(Self.files(in: server.folder))
            for content in [commands, kept] {
                // The run was seen.
                #expect(content.contains(Array("oidc-broker:c:".utf8)))
                #expect(content.contains(Array("oidc-broker:v:".utf8)))
                #expect(content.found(run.secrets) == [])
                #expect(content.forms(of: Self.planted) == [])
            }
            let second = try await RedisMonitor(server)
            try Self.plantNow(store)
            let toldLater = try await second.end()
            let later = StoredContent(toldLater + StoredContent.unescaped(toldLater))
            #expect(later.forms(of: Self.planted) == Self.forms)
            #expect(StoredContent(Self.files(in: server.folder)).forms(of: Self.planted) == Self.forms)
            await store.shutdown()
        }
    }

    /// Not async, as what waits for an event loop.
    private static func run(_ store: any SingleUseStore, look: () throws -> Void = {}) throws -> StoredContentRun {
        let run = try StoredContentRun(on: BlockingStore(store), look: look)
        #expect(run.secrets.count > 30)
        return run
    }

    private static func plantNow(_ store: any SingleUseStore) throws { try plant(planted, in: store) }

    #if PostgreSQL
        /// All rows of the tables, as bytes.
        private static func rows(_ server: PostgreSQLServer) throws -> [UInt8] {
            let process = server.client(
                "psql",
                [
                    "-h", server.folder, "-U", "broker", "-d", "postgres", "-X", "-A", "-t", "-c",
                    """
                    SELECT encode(key || attempt, 'hex') FROM oidc_broker_claim
                    UNION ALL SELECT encode(key || value, 'hex') FROM oidc_broker_value
                    """,
                ])
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let text = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            return text.split(separator: UInt8(ascii: "\n")).flatMap { line in
                StoredContent.bytes(ofHexadecimal: Array(line))
            }
        }

        @Test func `of PostgreSQL`() async throws {
            try await PostgreSQLServer.runEmpty { server async throws in
                let connection = try #require(
                    PostgreSQLConnectionString("host=\(server.folder) dbname=postgres user=broker"))
                try await PostgreSQLSchema.migrate(connection)
                let store = PostgreSQLSingleUseStore(
                    PostgreSQLConfiguration(connection: connection), logger: Self.silent)
                // What is taken is removed, so the rows are looked at after each step.
                let seen = Mutex<[UInt8]>([])
                let run = try Self.run(store) {
                    let rows = try Self.rows(server)
                    seen.withLock { $0 += rows }
                }
                let content = StoredContent(seen.withLock { $0 })
                #expect(content.count > 1000)
                #expect(content.found(run.secrets) == [])
                #expect(content.forms(of: Self.planted) == [])
                try Self.plantNow(store)
                #expect(StoredContent(try Self.rows(server)).forms(of: Self.planted) == Self.forms)
                await store.shutdown()
            }
        }
    #endif
}
