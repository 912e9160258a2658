// SPDX-License-Identifier: Apache-2.0

extension LiveCheck {
    /// What replicas tolerate between their clocks, in seconds.
    private static let storeClockTolerance: Int64 = 60

    /// A check of the store that replicas share, or of the database of accounts.
    package static func store(
        _ subject: Subject, _ verdict: Verdict, found: String, wanted: String, advice: String
    ) -> LiveCheck {
        LiveCheck(
            subject, of: nil, verdict, found: found, wanted: wanted, advice: verdict == .ok ? nil : advice)
    }

    /// Whether the clock of the store's server is that of this machine, as far as replicas need it.
    /// - Parameters:
    ///   - seconds: The server's time, in seconds since 1970.
    ///   - now: The time of this machine, in seconds since 1970.
    package static func storeClock(_ seconds: Int64, now: Int64) -> LiveCheck {
        let (difference, hasOverflowed) = seconds.subtractingReportingOverflow(now)
        let distance = hasOverflowed ? UInt64.max : difference.magnitude
        return store(
            .storeClock, distance > storeClockTolerance.magnitude ? .wrong : .ok,
            found: "the clock of the store is \(distance) s \(seconds < now ? "behind" : "ahead")",
            wanted: "at most \(storeClockTolerance) s apart",
            advice: "Synchronize this machine's clock (NTP); if it is correct, the store's.")
    }
}
