// SPDX-License-Identifier: Apache-2.0

/// A recorder of the results of the users of one event loop. Recorders are merged at the end.
package struct LoadRecorder: Sendable {
    /// The time by which a sign-in belongs to the window.
    package enum Basis: Sendable {
        /// Its end: for a closed loop, whose rate follows from what ends.
        case end
        /// Its intended start: for an open loop, in which ignoring what has not ended would ignore the slowest
        /// sign-ins.
        case intendedStart
    }

    /// The times of one sign-in in nanoseconds; parts that did not happen are `nil`.
    package struct Sample: Sendable, Hashable {
        /// The intended start.
        package var intendedStart: Int64
        /// The end of its last part that counts.
        package var end: Int64
        /// The time from the intended start to the redirect.
        package var start: Int64?
        /// The duration of the callback.
        package var callback: Int64?
        /// The duration of the redemption.
        package var redeem: Int64?
        /// What the handshakes of its browser negotiated.
        package var handshakes: [String]

        /// Creates a sample.
        package init(
            intendedStart: Int64, end: Int64, start: Int64? = nil, callback: Int64? = nil, redeem: Int64? = nil,
            handshakes: [String] = []
        ) {
            self.intendedStart = intendedStart
            self.end = end
            self.start = start
            self.callback = callback
            self.redeem = redeem
            self.handshakes = handshakes
        }

        /// The start and callback, or the redemption if there is nothing else.
        fileprivate var whole: Int64 { start.map { $0 + (callback ?? 0) } ?? redeem ?? 0 }
    }

    /// The kind of error of a target that does not verify signatures.
    package static let acceptedSpoiled = "an ID token with a broken signature was accepted"

    /// The window that counts.
    package let window: MeasurementWindow
    private let basis: Basis

    /// The number of verified sign-ins (or starts or redemptions, if only those are driven) that belong to the window.
    package private(set) var verified: UInt64 = 0
    /// The number of those that ended in the window, by which the target's processor time is divided.
    package private(set) var endedInWindow: UInt64 = 0
    /// The number of redemptions with the right subject.
    package private(set) var redeemed: UInt64 = 0
    /// The number of spoiled ID tokens that were refused, as they must be.
    package private(set) var refusedSpoiled: UInt64 = 0
    /// The errors and their numbers.
    package private(set) var errors: [String: UInt64] = [:]
    /// What the handshakes of browsers negotiated, and their numbers.
    package private(set) var handshakes: [String: UInt64] = [:]
    /// The latencies of each part, nanoseconds.
    package private(set) var histograms: [SignInPart: HdrHistogram] = [:]
    /// The latencies by second.
    package private(set) var series: LatencySeries

    private var interval = IntervalSummary()

    /// Creates an empty recorder.
    package init(window: MeasurementWindow, basis: Basis) {
        self.window = window
        self.basis = basis
        series = LatencySeries(seconds: Int(window.seconds.rounded(.up)))
    }

    /// Records a verified sign-in.
    package mutating func record(_ sample: Sample) {
        let whole = sample.whole
        interval.record(whole)
        if window.contains(sample.end) { endedInWindow += 1 }
        guard counts(intendedStart: sample.intendedStart, end: sample.end) else { return }
        verified += 1
        for handshake in sample.handshakes { handshakes[handshake, default: 0] += 1 }
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

    /// Records a verified operation that consists of one part.
    package mutating func record(_ part: SignInPart, intendedStart: Int64, end: Int64) {
        let latency = end - intendedStart
        interval.record(latency)
        if window.contains(end) { endedInWindow += 1 }
        guard counts(intendedStart: intendedStart, end: end) else { return }
        verified += 1
        histograms[part, default: HdrHistogram()].record(latency)
        if let second = window.second(of: basis == .end ? end : intendedStart) {
            series.record(latency, second: second)
        }
    }

    /// Records a failed sign-in. The kind is a short text that contains nothing of the request.
    package mutating func recordError(_ kind: String, intendedStart: Int64, end: Int64) {
        interval.errors += 1
        guard counts(intendedStart: intendedStart, end: end) else { return }
        errors[kind, default: 0] += 1
    }

    /// Records a sign-in with a spoiled ID token that was refused.
    package mutating func recordRefusal(intendedStart: Int64, end: Int64) {
        guard counts(intendedStart: intendedStart, end: end) else { return }
        refusedSpoiled += 1
    }

    /// Returns the events since the last call, for a progress line.
    package mutating func takeInterval() -> IntervalSummary {
        defer { interval = IntervalSummary() }
        return interval
    }

    /// Adds another recorder of the same window.
    package mutating func merge(_ other: LoadRecorder) {
        verified += other.verified
        endedInWindow += other.endedInWindow
        redeemed += other.redeemed
        refusedSpoiled += other.refusedSpoiled
        errors.merge(other.errors, uniquingKeysWith: +)
        handshakes.merge(other.handshakes, uniquingKeysWith: +)
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
