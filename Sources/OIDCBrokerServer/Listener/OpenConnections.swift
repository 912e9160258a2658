// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

/// The open connections, so that those that remain open after the drain deadline can be closed.
final class OpenConnections: Sendable {
    /// The version of HTTP of a connection.
    enum Version: String, Sendable, CaseIterable {
        /// It is in its handshake.
        case unknown
        case http1 = "1.1"
        case http2 = "2"
    }

    private struct Connections {
        var isDraining = false
        var channels: [ObjectIdentifier: (channel: any Channel, version: Version)] = [:]
        var counts: [Version: Int] = [:]
    }

    private let connections = Mutex(Connections())

    /// Whether the server no longer accepts requests.
    var isDraining: Bool { connections.withLock { $0.isDraining } }

    /// Adds a connection until it closes.
    func add(_ channel: any Channel) {
        let identifier = ObjectIdentifier(channel)
        connections.withLock {
            $0.channels[identifier] = (channel, .unknown)
            $0.counts[.unknown, default: 0] += 1
        }
        channel.closeFuture.whenComplete { [self] _ in
            connections.withLock { connections in
                guard let version = connections.channels.removeValue(forKey: identifier)?.version else { return }
                connections.counts[version, default: 1] -= 1
            }
        }
    }

    /// Records the version of HTTP that a connection chose.
    func chose(_ version: Version, _ channel: any Channel) {
        connections.withLock { connections in
            guard let known = connections.channels[ObjectIdentifier(channel)]?.version else { return }
            connections.channels[ObjectIdentifier(channel)] = (channel, version)
            connections.counts[known, default: 1] -= 1
            connections.counts[version, default: 0] += 1
        }
    }

    /// The number of open connections of each version.
    var counts: [Version: Int] { connections.withLock { $0.counts } }

    /// Begins to drain: a connection that has not selected its protocol yet will be closed when it does.
    func drain() {
        connections.withLock { $0.isDraining = true }
    }

    /// Closes all open connections.
    func close() {
        let channels = connections.withLock { $0.channels.values.map(\.channel) }
        for channel in channels {
            channel.eventLoop.execute {
                let pipeline = channel.pipeline.syncOperations
                if let deadline = try? pipeline.handler(type: RequestHeadDeadlineHandler.self) {
                    deadline.close()
                } else {
                    channel.close(promise: nil)
                }
            }
        }
    }
}
