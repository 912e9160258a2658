// SPDX-License-Identifier: Apache-2.0

#if Server
    import Admission
    import Logging
    import NIOCore
    import OIDCBrokerOperations
    import OIDCBrokerServer

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// What `serve` writes: the log to standard error, and the audit.
    struct ServeLogs: Sendable {
        /// The time that the lines of the end have to be written.
        static let patience = TimeAmount.seconds(5)

        /// The minimum level of the log, which a reload changes.
        let level: LogLevel
        /// The logger of everything but the audit.
        let logger: Logger
        private let log: MainLog
        private let auditLog: AuditLog?

        /// Opens the log and the audit. The counters of what is dropped are made here.
        /// - Throws: ``OIDCBrokerOperations/LogFailure`` if the file of the audit can be neither opened nor made.
        init(_ configuration: LogConfiguration) throws(LogFailure) {
            let isText = configuration.format.map { $0 == .text } ?? (isatty(STDERR_FILENO) == 1)
            level = LogLevel(configuration.level)
            log = MainLog(isText ? .text : .json, level: level)
            logger = log.logger(label: "oidc-broker")
            guard let path = configuration.audit else {
                auditLog = nil
                return
            }
            auditLog = try AuditLog(path: path, log: logger)
        }

        /// The logger of the audit; `nil` if there is none.
        var audit: Logger? { auditLog?.logger() }

        /// The logger of a line for each request, which are written whatever the level of the others is.
        var access: Logger {
            var logger = log.logger(label: "auth.access")
            logger.logLevel = .info
            return logger
        }

        /// Counts the memory of waiting lines in a budget from now on.
        func count(in budget: MemoryBudget) {
            log.count(in: budget)
            auditLog?.count(in: budget)
        }

        /// Opens the file of the audit again, after it was rotated.
        func reopen() { auditLog?.reopen() }

        /// Waits until everything is written, for a time each at most.
        func end(within time: TimeAmount) {
            auditLog?.end(within: time)
            log.end(within: time)
        }
    }
#endif
