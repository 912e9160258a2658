// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

/// Open connections of operators, in the order in which they came, up to a maximum. Beyond it the oldest one is closed,
/// so that connections which are held open keep neither a health check nor a scrape out.
final class OperationsConnections: Sendable {
    private let maximum: Int
    private let channels = Mutex<[any Channel]>([])

    /// - Parameter maximum: The maximum number of connections, at least 1.
    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Adds a connection until it closes. If there are too many, the oldest one is closed.
    func add(_ channel: any Channel) {
        let oldest: (any Channel)? = channels.withLock { channels in
            channels.append(channel)
            return channels.count > maximum ? channels.removeFirst() : nil
        }
        channel.closeFuture.whenComplete { [self] _ in
            channels.withLock { channels in channels.removeAll { $0 === channel } }
        }
        oldest?.close(promise: nil)
    }

    /// Closes every connection.
    func close() {
        for channel in channels.withLock({ $0 }) { channel.close(promise: nil) }
    }
}
