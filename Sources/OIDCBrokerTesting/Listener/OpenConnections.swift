// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

/// The accepted connections, so that a shutdown can close those that clients keep alive.
final class OpenConnections: Sendable {
    private struct State: Sendable {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Adds a connection until it closes. After ``closeAll()`` a new connection is closed at once.
    func insert(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        let isClosed = state.withLock { state in
            if !state.isClosed { state.channels[id] = channel }
            return state.isClosed
        }
        if isClosed {
            channel.close(promise: nil)
        } else {
            channel.closeFuture.whenComplete { _ in
                self.state.withLock { state in _ = state.channels.removeValue(forKey: id) }
            }
        }
    }

    /// Closes all connections, including future ones.
    ///
    /// - Returns: Futures that complete when each connection is closed.
    func closeAll() -> [EventLoopFuture<Void>] {
        let channels = state.withLock { state in
            state.isClosed = true
            return Array(state.channels.values)
        }
        return channels.map { channel in
            channel.close(promise: nil)
            return channel.closeFuture
        }
    }
}
