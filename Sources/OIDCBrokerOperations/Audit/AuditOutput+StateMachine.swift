// SPDX-License-Identifier: Apache-2.0

extension AuditOutput {
    /// Which problems with the audit the main log reports, at most once a second. `now` is given in seconds of an
    /// ``ElapsedClock``.
    struct StateMachine: Sendable {
        /// What to tell.
        enum Report: Sendable, Hashable {
            /// So many lines were lost since the last report, and this is what failed last.
            case failed(lines: Int, LogFailure)
            /// Lines are written again. So many were lost since the last report.
            case recovered(lines: Int)
        }

        private var isFailing = false
        private var lost = 0
        private var reportedAt: Int64?

        /// Records the end of a write.
        /// - Parameters:
        ///   - lost: The number of lines that were not written.
        ///   - failure: What failed; `nil` if nothing did.
        /// - Returns: What to tell; `nil` for nothing.
        mutating func note(lost: Int, _ failure: LogFailure?, now: Int64) -> Report? {
            self.lost &+= lost
            if failure != nil { isFailing = true }
            guard isFailing, reportedAt != now else { return nil }
            reportedAt = now
            defer { self.lost = 0 }
            guard let failure else {
                isFailing = false
                return .recovered(lines: self.lost)
            }
            return .failed(lines: self.lost, failure)
        }
    }
}
