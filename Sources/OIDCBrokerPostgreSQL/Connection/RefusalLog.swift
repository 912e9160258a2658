// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Logging
    import NIOCore
    import Synchronization

    /// Logs that a server cannot be used as it is, at most once a minute.
    final class RefusalLog: Sendable {
        /// The time in which nothing is logged again.
        static let pause = TimeAmount.minutes(1)

        private let logger: Logger
        private let silentUntil = Mutex<NIODeadline?>(nil)

        init(_ logger: Logger) {
            self.logger = logger
        }

        /// Logs the error if it is the server's refusal, and none was logged lately.
        func record(_ error: PostgreSQLStoreError, at now: NIODeadline) {
            guard error.isRefusal else { return }
            let mayLog = silentUntil.withLock { silentUntil in
                if let silentUntil, silentUntil > now { return false }
                silentUntil = now + Self.pause
                return true
            }
            guard mayLog else { return }
            logger.error(
                "The server of the single-use store cannot be used",
                metadata: ["code": "\(error.code)", "detail": "\(error.detail)"])
        }
    }
#endif
