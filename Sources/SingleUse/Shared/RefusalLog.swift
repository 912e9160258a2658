// SPDX-License-Identifier: Apache-2.0

package import Logging
package import NIOCore

/// Logs that the server of a store cannot be used as it is, at most once a minute.
package final class RefusalLog: Sendable {
    private let logger: Logger
    private let store: String
    private let line = LogThrottle()

    /// Creates a log in which nothing was written yet.
    /// - Parameters:
    ///   - logger: Where it is logged.
    ///   - store: What the messages call the store.
    package init(_ logger: Logger, store: String = "single-use store") {
        self.logger = logger
        self.store = store
    }

    /// Logs the error if the server refused, unless one was logged within the last minute.
    package func record(_ error: some SingleUseStoreFailure, at now: NIODeadline) {
        guard error.isRefusal, line.isDue(at: now) else { return }
        logger.error(
            "cannot use the server of the \(store)",
            metadata: ["code": "\(error.code)", "detail": "\(error.detail)"])
    }
}
