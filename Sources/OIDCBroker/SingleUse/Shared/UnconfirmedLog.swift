// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import Synchronization

/// Logs that standbys did not confirm an operation, at most once a minute.
final class UnconfirmedLog: Sendable {
    /// The time in which nothing is logged again.
    static let pause = TimeAmount.minutes(1)

    private let logger: Logger
    private let silentUntil = Mutex<NIODeadline?>(nil)

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// Logs an operation, unless one was logged lately.
    func record(_ operation: SharedStore.Operation, at now: NIODeadline) {
        let mayLog = silentUntil.withLock { silentUntil in
            if let silentUntil, silentUntil > now { return false }
            silentUntil = now + Self.pause
            return true
        }
        guard mayLog else { return }
        logger.warning(
            "standbys did not confirm: a failover of the store now could lose what was stored",
            metadata: ["auth.detail": "\(operation.rawValue)"])
    }
}
