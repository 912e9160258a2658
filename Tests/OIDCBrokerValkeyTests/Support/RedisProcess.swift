// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOPosix
import Synchronization
import TestingSupport

@testable import OIDCBrokerValkey

/// A real `redis-server` or `redis-sentinel` on a port of the loopback address.
final class RedisProcess: Sendable {
    /// It did not become ready.
    struct NotReady: Error {
        /// The last error of who asked; `nil` if what was asked for did not hold.
        var reason: (any Error)?
    }

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

    /// Asks until something holds, so many times at most. Times are not counted: other tests may keep this one from its turn for
    /// longer than the servers need.
    static func eventually(atMost count: Int = 1_200, _ holds: () async throws -> Bool) async throws {
        var reason: (any Error)?
        for _ in 0..<count {
            do {
                if try await holds() { return }
                reason = nil
            } catch {
                reason = error
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw NotReady(reason: reason)
    }

    /// Ports on which nothing listens. They lie below those that the system chooses itself: the servers of other tests
    /// would get one of them before the process has started.
    static func freePorts(_ count: Int) async throws -> [Int] {
        var ports: [Int] = []
        for _ in Self.ports where ports.count < count {
            let port = lastPort.withLock { last in
                last = last + 1 < Self.ports.upperBound ? last + 1 : Self.ports.lowerBound
                return last
            }
            let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            guard let channel = try? await bootstrap.bind(host: "127.0.0.1", port: port).get() else { continue }
            try await channel.close()
            ports.append(port)
        }
        return ports
    }

    private static let ports = 20_000..<32_768
    private static let lastPort = Mutex(Int.random(in: ports))
}
