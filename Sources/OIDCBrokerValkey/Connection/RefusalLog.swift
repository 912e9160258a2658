// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import OIDCBroker

/// Logs that a server cannot be used as it is, at most once a minute.
final class RefusalLog: Sendable {
    private let logger: Logger
    private let line = RareLine()

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// Logs the error if it is the server's refusal, and none was logged lately.
    func record(_ error: ValkeyStoreError, at now: NIODeadline) {
        guard error.isRefusal else { return }
        guard line.isDue(at: now) else { return }
        logger.error(
            "The server of the single-use store cannot be used",
            metadata: ["code": "\(error.code)", "detail": "\(error.detail)"])
    }
}
