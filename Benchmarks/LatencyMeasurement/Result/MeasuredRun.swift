// SPDX-License-Identifier: Apache-2.0

/// One measurement of one target: what a result file holds.
package struct MeasuredRun: Sendable, Hashable, Codable {
    /// The target's name.
    package var target: String
    /// What was driven, and how hard.
    package var shape: LoadShape
    /// Which measurement of a table it was; nil outside of one.
    package var step: TableStep?
    /// Which round of several it was, from 1; rounds of one number stand beside each other in time.
    package var round: Int
    /// When it began: seconds since 1970.
    package var began: Int64
    /// How long the window was.
    package var seconds: Double
    /// Sign-ins that were verified; the only ones that count.
    package var verified: UInt64
    /// How many of them were redeemed, and found to be of the right subject.
    package var redeemed: UInt64
    /// Sign-ins with an ID token that was spoiled on purpose, and that were refused.
    package var refusedSpoiled: UInt64
    /// What went wrong, by its kind.
    package var errors: [String: UInt64]
    /// Verified sign-ins in a second.
    package var throughput: Double
    /// By ``SignInPart``.
    package var latencies: [String: LatencySummary]
    /// Whole sign-ins by the second.
    package var series: [SecondSummary]
    /// What the target took; `nil` if its processes are not known.
    package var usage: TargetUsage?
    /// From launch to the first verified sign-in, milliseconds; `nil` if the target was not launched here.
    package var firstSignIn: Double?
    /// Token requests that the provider answered in the window, for 1,000 sign-ins.
    package var tokenRequestsPerThousand: Double
    /// New connections to the provider in the window, for 1,000 sign-ins.
    package var providerConnectionsPerThousand: Double
    /// Connections that the virtual users opened after the warm-up.
    package var reconnects: UInt64
    /// What the target took before the load although it must not: a changed state, a wrong signature.
    package var accepted: [String]

    /// A measurement without what only the tool knows.
    package init(target: String, shape: LoadShape, round: Int, began: Int64, recorder: LoadRecorder) {
        self.target = target
        self.shape = shape
        self.round = round
        self.began = began
        seconds = recorder.window.seconds
        verified = recorder.verified
        redeemed = recorder.redeemed
        refusedSpoiled = recorder.refusedSpoiled
        errors = recorder.errors
        throughput = seconds > 0 ? Double(recorder.verified) / seconds : 0
        latencies = [:]
        for (part, histogram) in recorder.histograms { latencies[part.rawValue] = LatencySummary(histogram) }
        series = recorder.series.seconds.map { SecondSummary($0) }
        tokenRequestsPerThousand = 0
        providerConnectionsPerThousand = 0
        reconnects = 0
        accepted = []
    }

    /// The latencies of a part; `nil` if it did not happen.
    package func latency(_ part: SignInPart) -> LatencySummary? { latencies[part.rawValue] }

    /// How many sign-ins went wrong.
    package var errorCount: UInt64 { errors.values.reduce(0, +) }

    /// Whether an ID token with a broken signature was taken during the load.
    package var tookSpoiledToken: Bool { errors[LoadRecorder.acceptedSpoiled] != nil }

    /// Measurements that can be compared: the same target under the same load.
    package struct Key: Sendable, Hashable {
        /// The target.
        package let target: String
        /// The load.
        package let shape: LoadShape

        /// Of a target under a load.
        package init(target: String, shape: LoadShape) {
            self.target = target
            self.shape = shape
        }
    }

    /// What it can be compared with. The rate of an open loop is left out: where it follows from a target's capacity it
    /// differs from one run to the next.
    package var key: Key {
        var shape = shape
        shape.rate = nil
        return Key(target: target, shape: shape)
    }
}
