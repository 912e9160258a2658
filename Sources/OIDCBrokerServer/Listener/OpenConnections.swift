// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

/// The connections that are open, so that those that outlive the drain deadline can be closed.
final class OpenConnections: Sendable {
    private struct Connections {
        var isDraining = false
        var channels: [ObjectIdentifier: any Channel] = [:]
    }

    private let connections = Mutex(Connections())

    /// Whether no new request is taken any more.
    var isDraining: Bool { connections.withLock { $0.isDraining } }

    /// Remembers a connection until it closes.
    func add(_ channel: any Channel) {
        let identifier = ObjectIdentifier(channel)
        connections.withLock { $0.channels[identifier] = channel }
        channel.closeFuture.whenComplete { [self] _ in
            connections.withLock { $0.channels[identifier] = nil }
        }
    }

    /// From now on a connection that has not chosen its protocol is closed when it does.
    func drain() {
        connections.withLock { $0.isDraining = true }
    }

    /// Closes all that are open.
    func close() {
        let channels = connections.withLock { Array($0.channels.values) }
        for channel in channels {
            channel.eventLoop.execute {
                // From the socket's side: a close from the other end would wait for a response that is under way.
                let pipeline = channel.pipeline.syncOperations
                if let context = try? pipeline.context(handlerType: RequestHeadDeadlineHandler.self) {
                    context.close(promise: nil)
                } else {
                    channel.close(promise: nil)
                }
            }
        }
    }
}
