// SPDX-License-Identifier: Apache-2.0

/// A measurement of one target, as in a result file.
package struct MeasuredRun: Sendable, Hashable, Codable {
    /// The name of the target.
    package var target: String
    /// The load.
    package var shape: LoadShape
    /// The step of a table; `nil` outside of one.
    package var step: TableStep?
    /// The number of the round, counted from 1. Measurements of the same round were made close in time.
    package var round: Int
    /// The beginning in seconds since 1970.
    package var began: Int64
    /// The length of the window in seconds.
    package var seconds: Double
    /// The number of verified sign-ins, which alone count.
    package var verified: UInt64
    /// The number of those that were redeemed with the right subject.
    package var redeemed: UInt64
    /// The number of sign-ins with a spoiled ID token that were refused.
    package var refusedSpoiled: UInt64
    /// The number of errors, by kind.
    package var errors: [String: UInt64]
    /// The verified sign-ins per second.
    package var throughput: Double
    /// The latencies by ``SignInPart``.
    package var latencies: [String: LatencySummary]
    /// Whole sign-ins by second.
    package var series: [SecondSummary]
    /// The resources that the target used; `nil` if its processes are not known.
    package var usage: TargetUsage?
    /// The time from launch to the first verified sign-in in milliseconds; `nil` if this tool did not launch the
    /// target.
    package var firstSignIn: Double?
    /// The token requests to the provider in the window per 1,000 sign-ins.
    package var tokenRequestsPerThousand: Double
    /// The new connections to the provider in the window per 1,000 sign-ins.
    package var providerConnectionsPerThousand: Double
    /// The number of connections that the virtual users opened after the warm-up.
    package var reconnects: UInt64
    /// The invalid input that the target accepted before the load: a changed state, a wrong signature.
    package var accepted: [String]
    /// What the handshakes of browsers negotiated, and their numbers in the window; `nil` where users keep their
    /// connections.
    package var handshakes: [String: UInt64]?

    /// Creates a measurement from the results of the users.
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
        handshakes = shape.browser == nil ? nil : recorder.handshakes
    }

    /// The latencies of a part; `nil` if it did not happen.
    package func latency(_ part: SignInPart) -> LatencySummary? { latencies[part.rawValue] }

    /// The latencies of the operation on accounts; `nil` in a load of sign-ins.
    package var operationLatency: LatencySummary? { shape.operation.flatMap { latency($0.part) } }

    /// The number of failed sign-ins.
    package var errorCount: UInt64 { errors.values.reduce(0, +) }

    /// The handshakes of browsers per second; `nil` where there were none.
    package var handshakesPerSecond: Double? {
        guard let handshakes, !handshakes.isEmpty, seconds > 0 else { return nil }
        return Double(handshakes.values.reduce(0, +)) / seconds
    }

    /// Whether an ID token with a broken signature was accepted during the load.
    package var tookSpoiledToken: Bool { errors[LoadRecorder.acceptedSpoiled] != nil }

    /// The identity of comparable measurements: the same target under the same load.
    package struct Key: Sendable, Hashable {
        /// The target.
        package let target: String
        /// The load.
        package let shape: LoadShape

        /// Creates a key.
        package init(target: String, shape: LoadShape) {
            self.target = target
            self.shape = shape
        }
    }

    /// The key for comparison. The rate of an open loop is left out, because it differs between runs if it follows from
    /// the target's capacity.
    package var key: Key {
        var shape = shape
        shape.rate = nil
        return Key(target: target, shape: shape)
    }
}
