// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore

/// Logs that standbys did not confirm an operation, at most once a minute.
final class UnconfirmedLog: Sendable {
    private let logger: Logger
    private let line = LogThrottle()

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// Logs an operation, unless one was logged within the last minute.
    func record(_ operation: SharedStore.Operation, at now: NIODeadline) {
        guard line.isDue(at: now) else { return }
        logger.warning(
            "store write not confirmed by standbys: a failover now could lose it",
            metadata: ["auth.detail": "\(operation.rawValue)"])
    }
}
