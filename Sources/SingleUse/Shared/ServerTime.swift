// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import Synchronization

/// The time of a store's server, which observers are told at each connection.
package final class ServerTime: Sendable {
    /// Is told the server's time in seconds since 1970, and when it came. It is called on any thread and must not block.
    package typealias Observer = @Sendable (_ seconds: Int64, _ now: NIODeadline) -> Void

    private let observers = Mutex<[Observer]>([])

    /// Creates one without observers.
    package init() {}

    /// Adds an observer, which is kept for good.
    package func observe(_ observer: @escaping Observer) {
        observers.withLock { $0.append(observer) }
    }

    /// A server told its time.
    package func told(seconds: Int64, at now: NIODeadline) {
        for observer in observers.withLock({ $0 }) { observer(seconds, now) }
    }
}
