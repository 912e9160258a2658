// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

/// The open connections, so that those that remain open after the drain deadline can be closed.
final class OpenConnections: Sendable {
    private struct Connections {
        var isDraining = false
        var channels: [ObjectIdentifier: any Channel] = [:]
    }

    private let connections = Mutex(Connections())

    /// Whether the server no longer accepts requests.
    var isDraining: Bool { connections.withLock { $0.isDraining } }

    /// Adds a connection until it closes.
    func add(_ channel: any Channel) {
        let identifier = ObjectIdentifier(channel)
        connections.withLock { $0.channels[identifier] = channel }
        channel.closeFuture.whenComplete { [self] _ in
            connections.withLock { $0.channels[identifier] = nil }
        }
    }

    /// Begins to drain: a connection that has not selected its protocol yet will be closed when it does.
    func drain() {
        connections.withLock { $0.isDraining = true }
    }

    /// Closes all open connections.
    func close() {
        let channels = connections.withLock { Array($0.channels.values) }
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
