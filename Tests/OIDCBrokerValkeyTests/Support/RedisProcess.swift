// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOPosix
import TestingSupport

@testable import OIDCBrokerValkey

/// A real `redis-server` or `redis-sentinel` on a port of the loopback address.
final class RedisProcess: Sendable {
    /// It did not become ready.
    struct NotReady: Error {}

    let port: Int
    private let process: RunningProcess

    /// Starts it.
    init(_ program: String, port: Int, _ arguments: [String]) throws {
        self.port = port
        process = try RunningProcess(starting: .quiet("/usr/bin/\(program)", arguments))
    }

    var address: ValkeyAddress { .host("127.0.0.1", port: port) }

    /// Lets it do nothing for a while.
    func suspend() { process.signal(SIGSTOP) }

    /// Lets it go on.
    func resume() { process.signal(SIGCONT) }

    /// Ends it, and waits until it has ended.
    func stop() async { await process.end() }

    /// Sends one command over a connection of its own.
    func ask(_ command: RESPCommand) async throws -> RESPValue {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        let address = address
        let dialer = ValkeyDialer(ValkeyConfiguration(address: address))
        return try await eventLoop.flatSubmit {
            let bound = NIOLoopBound(ValkeyConnection(eventLoop: eventLoop), eventLoop: eventLoop)
            return dialer.dial(address, on: eventLoop) { pipeline in try pipeline.addHandler(bound.value) }
                .flatMap { channel -> EventLoopFuture<RESPValue> in
                    let answer = bound.value.send(command)
                    return channel.setOption(.autoRead, value: true).flatMap { answer }
                }
                .always { _ in bound.value.close(.closed) }
        }.get()
    }

    /// Whether there is a key.
    func has(_ key: String) async throws -> Bool {
        try await ask(RESPCommand("EXISTS", .text(key))) == .integer(1)
    }

    /// A field of its replication; `nil` if there is none.
    func replication(_ field: String) async throws -> String? {
        guard case .bulk(let text) = try await ask(RESPCommand("INFO", "replication")) else { return nil }
        return ValkeyInfo(text)[field]
    }

    /// Asks until something holds, for a minute.
    static func eventually(_ holds: () async throws -> Bool) async throws {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(60)
        while clock.now < end {
            if (try? await holds()) == true { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw NotReady()
    }

    /// Ports on which nothing listens.
    static func freePorts(_ count: Int) async throws -> [Int] {
        var channels: [any Channel] = []
        for _ in 0..<count {
            let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            channels.append(try await bootstrap.bind(host: "127.0.0.1", port: 0).get())
        }
        let ports = channels.compactMap { $0.localAddress?.port }
        for channel in channels { try await channel.close() }
        return ports
    }
}
