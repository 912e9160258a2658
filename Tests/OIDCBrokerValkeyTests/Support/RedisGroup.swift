// SPDX-License-Identifier: Apache-2.0

import Foundation
import JOSE
import Logging
import Synchronization
import TestingSupport

@testable import OIDCBrokerValkey

/// A real primary with one standby, and sentinels that watch over them.
final class RedisGroup: Sendable {
    static let primaryName = "broker"

    let primary: RedisProcess
    let standby: RedisProcess
    let sentinels: [RedisProcess]

    private init(primary: RedisProcess, standby: RedisProcess, sentinels: [RedisProcess]) {
        self.primary = primary
        self.standby = standby
        self.sentinels = sentinels
    }

    /// Runs a primary, a standby and sentinels while the body runs.
    static func run(sentinels: Int, _ body: (RedisGroup) async throws -> Void) async throws {
        let folder = URL(filePath: "/tmp/redis-\(UUID().uuidString.prefix(13))")
        let started = Mutex<[RedisProcess]>([])
        try await attempt {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let group = try await startAgain(sentinels: sentinels, in: folder, started)
            try await body(group)
        } finally: {
            await end(started.withLock { $0 }, folder)
        }
    }

    /// Starts all of them, up to three times: another process may have taken one of the ports since they were found free.
    private static func startAgain(
        sentinels: Int, in folder: URL, _ started: borrowing Mutex<[RedisProcess]>
    ) async throws -> RedisGroup {
        for _ in 0..<2 {
            do {
                return try await start(sentinels: sentinels, in: folder) { process in
                    started.withLock { $0.append(process) }
                }
            } catch is RedisProcess.NotReady {
                let processes = started.withLock { all in
                    defer { all.removeAll() }
                    return all
                }
                for process in processes { await process.stop() }
            }
        }
        return try await start(sentinels: sentinels, in: folder) { process in started.withLock { $0.append(process) } }
    }

    private static func end(_ processes: [RedisProcess], _ folder: URL) async {
        for process in processes { await process.stop() }
        try? FileManager.default.removeItem(at: folder)
    }

    private static func start(
        sentinels count: Int, in folder: URL, _ started: (RedisProcess) -> Void
    ) async throws -> RedisGroup {
        let ports = try await RedisProcess.freePorts(2 + count)
        guard ports.count == 2 + count else { throw RedisProcess.NotReady() }
        let primary = try RedisProcess("redis-server", port: ports[0], arguments(ports[0], in: folder))
        started(primary)
        let standby = try RedisProcess(
            "redis-server", port: ports[1],
            arguments(ports[1], in: folder) + ["--replicaof", "127.0.0.1", "\(ports[0])"])
        started(standby)
        try await RedisProcess.eventually(atMost: 300) { try await standby.replication("master_link_status") == "up" }
        try await RedisProcess.eventually(atMost: 300) { try await primary.replication("connected_slaves") == "1" }
        var sentinels: [RedisProcess] = []
        for port in ports.dropFirst(2) {
            let file = folder.appending(path: "sentinel-\(port).conf")
            try Data(sentinel(port, of: ports[0], in: folder).utf8).write(to: file)
            let sentinel = try RedisProcess("redis-sentinel", port: port, [file.path])
            started(sentinel)
            sentinels.append(sentinel)
        }
        for sentinel in sentinels {
            try await RedisProcess.eventually(atMost: 300) {
                try await sentinel.ask(RESPCommand("PING")) == .simple("PONG")
            }
        }
        return RedisGroup(primary: primary, standby: standby, sentinels: sentinels)
    }

    private static func arguments(_ port: Int, in folder: URL) -> [String] {
        [
            "--port", "\(port)", "--bind", "127.0.0.1", "--dir", folder.path, "--save", "", "--appendonly", "no",
            "--maxmemory-policy", "noeviction", "--repl-diskless-sync-delay", "0",
            "--dbfilename", "dump-\(port).rdb",
        ]
    }

    private static func sentinel(_ port: Int, of primary: Int, in folder: URL) -> String {
        """
        port \(port)
        bind 127.0.0.1
        dir \(folder.path)
        sentinel monitor \(primaryName) 127.0.0.1 \(primary) 2
        sentinel down-after-milliseconds \(primaryName) 500
        sentinel failover-timeout \(primaryName) 2000

        """
    }

    /// Runs a store on the sentinels while the body runs, or on the primary where there are none.
    func withStore(standbysToWaitFor: Int = 0, _ body: (StoreCaller) async throws -> Void) async throws {
        let servers: ValkeyServers =
            sentinels.isEmpty
            ? .node(primary.address)
            : .sentinels(sentinels.map { $0.address }, primaryName: Self.primaryName)
        let store = ValkeySingleUseStore(
            ValkeyConfiguration(servers: servers, standbysToWaitFor: standbysToWaitFor),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await attempt {
            try await body(StoreCaller(store))
        } finally: {
            await store.shutdown()
        }
    }

    /// The name of the claim of ``OIDCBroker/SingleUseKey/test(_:)``.
    static func claimName(_ number: UInt8) -> String {
        "oidc-broker:c:" + Hexadecimal.text([UInt8](repeating: number, count: 32))
    }
}
