// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement

/// Progress lines on standard error, one a second.
struct ProgressLines: Sendable {
    let title: String
    let isShown: Bool

    /// Waits, and prints the events of each second.
    ///
    /// - Parameter each: A closure that is called once a second.
    func follow(
        _ generator: LoadGenerator, until end: Int64, phase: String, each: () -> Void
    ) async throws {
        var last = MonotonicClock.now()
        while true {
            let now = MonotonicClock.now()
            guard now < end else { break }
            // A remainder of less than two seconds is one step, to avoid a line for a very short time.
            let step = end - now < 2_000_000_000 ? end - now : 1_000_000_000
            try await Task.sleep(for: .nanoseconds(step))
            each()
            let interval = try await generator.takeInterval()
            let time = MonotonicClock.now()
            show(interval, seconds: Double(time - last) / 1_000_000_000, phase: phase)
            last = time
        }
    }

    /// Ends the progress lines.
    func end() {
        guard isShown else { return }
        StandardError.write("\(title): done")
    }

    /// Prints the events of an interval.
    func show(_ interval: IntervalSummary, seconds: Double, phase: String) {
        guard isShown, seconds > 0 else { return }
        let rate = Figure.rounded((Double(interval.verified) / seconds).rounded())
        let p50 = Figure.fixed(Double(interval.latencies.value(atPercentile: 50)) / 1_000_000, 2)
        let p99 = Figure.fixed(Double(interval.latencies.value(atPercentile: 99)) / 1_000_000, 2)
        StandardError.write(
            "\(title): \(phase), \(rate) a second, p50 \(p50) ms, p99 \(p99) ms, \(interval.errors) errors")
    }
}
