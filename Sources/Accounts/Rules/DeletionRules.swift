// SPDX-License-Identifier: Apache-2.0

/// Whether a sensitive operation may happen now, as the deletion of an account.
public enum DeletionRules {
    /// What happens.
    public enum Decision: Sendable, Hashable {
        /// The operation happens.
        case proceed
        /// The last sign-in and the last proof are too old.
        case tooOld
    }

    /// Decides whether an operation may happen.
    /// - Parameters:
    ///   - provedAt: The later of the sign-in and the last proof, in seconds since 1970. A time in the future is not
    ///     recent.
    ///   - now: The current time, in seconds since 1970.
    ///   - limit: How long a sign-in counts as recent, in seconds.
    ///   - tolerance: How far a clock of another process may be ahead, in seconds.
    public static func decide(provedAt: Int64, now: Int64, limit: Int64, tolerance: Int64 = 60) -> Decision {
        let (age, overflows) = now.subtractingReportingOverflow(provedAt)
        return !overflows && age < limit && age >= -max(0, tolerance) ? .proceed : .tooOld
    }
}
