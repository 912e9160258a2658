// SPDX-License-Identifier: Apache-2.0

/// Keeps what the users of one event loop saw. Recorders are merged at the end.
package struct LoadRecorder: Sendable {
    /// By what a sign-in is validated to be inside the window.
    package enum Basis: Sendable {
        /// By its end: for a closed loop, whose rate follows from what ends.
        case end
        /// By its intended start: for an open loop, where leaving out what had not ended would leave out the slowest.
        case intendedStart
    }

    /// What one sign-in took, nanoseconds; parts that did not happen are nil.
    package struct Sample: Sendable, Hashable {
        /// When it was meant to begin.
        package var intendedStart: Int64
        /// When its last part that counts had ended.
        package var end: Int64
        /// From the intended start to the redirect.
        package var start: Int64?
        /// The callback alone.
        package var callback: Int64?
        /// The redemption alone.
        package var redeem: Int64?

        /// What a sign-in took.
        package init(
            intendedStart: Int64, end: Int64, start: Int64? = nil, callback: Int64? = nil, redeem: Int64? = nil
        ) {
            self.intendedStart = intendedStart
            self.end = end
            self.start = start
            self.callback = callback
            self.redeem = redeem
        }

        /// Start and callback; a redemption counts where there is nothing else.
        fileprivate var whole: Int64 { start.map { $0 + (callback ?? 0) } ?? redeem ?? 0 }
    }

    /// The kind of error that a target earns which does not look at signatures.
    package static let acceptedSpoiled = "an ID token with a broken signature was accepted"

    /// The window that counts.
    package let window: MeasurementWindow
    private let basis: Basis

    /// Verified sign-ins (or starts or redemptions, where only those are driven) that ``Basis`` puts into the window.
    package private(set) var verified: UInt64 = 0
    /// Those of them that ended inside it: what the target's processor time is divided by.
    package private(set) var endedInWindow: UInt64 = 0
    /// How many redemptions found the right subject.
    package private(set) var redeemed: UInt64 = 0
    /// How many spoiled ID tokens were refused, as they must be.
    package private(set) var refusedSpoiled: UInt64 = 0
    /// What went wrong, and how often.
    package private(set) var errors: [String: UInt64] = [:]
    /// The latencies of each part, nanoseconds.
    package private(set) var histograms: [SignInPart: HdrHistogram] = [:]
    /// The same by the second.
    package private(set) var series: LatencySeries

    private var interval = IntervalSummary()

    /// Nothing recorded yet.
    package init(window: MeasurementWindow, basis: Basis) {
        self.window = window
        self.basis = basis
        series = LatencySeries(seconds: Int(window.seconds.rounded(.up)))
    }

    /// A verified sign-in.
    package mutating func record(_ sample: Sample) {
        let whole = sample.whole
        interval.record(whole)
        if window.contains(sample.end) { endedInWindow += 1 }
        guard counts(intendedStart: sample.intendedStart, end: sample.end) else { return }
        verified += 1
        if let start = sample.start { histograms[.start, default: HdrHistogram()].record(start) }
        if let callback = sample.callback {
            histograms[.callback, default: HdrHistogram()].record(callback)
            histograms[.whole, default: HdrHistogram()].record(whole)
        }
        if let redeem = sample.redeem {
            redeemed += 1
            histograms[.redeem, default: HdrHistogram()].record(redeem)
        }
        let time = basis == .end ? sample.end : sample.intendedStart
        if let second = window.second(of: time) { series.record(whole, second: second) }
    }

    /// A sign-in that came to nothing. Its kind is a short text without anything of the request.
    package mutating func recordError(_ kind: String, intendedStart: Int64, end: Int64) {
        interval.errors += 1
        guard counts(intendedStart: intendedStart, end: end) else { return }
        errors[kind, default: 0] += 1
    }

    /// A sign-in whose ID token was spoiled on purpose, and that was refused.
    package mutating func recordRefusal(intendedStart: Int64, end: Int64) {
        guard counts(intendedStart: intendedStart, end: end) else { return }
        refusedSpoiled += 1
    }

    /// What happened since this was last asked, for a line of progress.
    package mutating func takeInterval() -> IntervalSummary {
        defer { interval = IntervalSummary() }
        return interval
    }

    /// Adds what another recorder of the same window kept.
    package mutating func merge(_ other: LoadRecorder) {
        verified += other.verified
        endedInWindow += other.endedInWindow
        redeemed += other.redeemed
        refusedSpoiled += other.refusedSpoiled
        errors.merge(other.errors, uniquingKeysWith: +)
        histograms.merge(other.histograms) { mine, theirs in
            var sum = mine
            sum.add(theirs)
            return sum
        }
        series.merge(other.series)
        interval.merge(other.interval)
    }

    private func counts(intendedStart: Int64, end: Int64) -> Bool {
        switch basis {
        case .end: window.contains(end)
        case .intendedStart: window.contains(intendedStart)
        }
    }
}
