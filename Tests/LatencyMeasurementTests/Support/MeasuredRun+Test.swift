// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement

extension MeasuredRun {
    /// A measurement with invented figures: 100 sign-ins a second for three seconds.
    static func made(
        _ target: String, algorithm: String = "ES256", concurrency: Int = 64, round: Int = 1,
        processorTime: Double? = nil, callback: Int64 = 2_000_000, redeemed: Double = 1, rate: Double? = nil,
        step: TableStep? = nil, residentGrowth: Double? = nil
    ) -> MeasuredRun {
        let second: Int64 = 1_000_000_000
        var recorder = LoadRecorder(window: MeasurementWindow(begin: 0, end: 3 * second), basis: .end)
        for number in 0..<Int64(300) {
            let end = number * second / 100
            recorder.record(
                LoadRecorder.Sample(
                    intendedStart: end, end: end, start: 1_000_000, callback: callback + number * 1000,
                    redeem: redeemed > 0 ? 500_000 : nil))
        }
        var run = MeasuredRun(
            target: target,
            shape: LoadShape(
                loop: rate == nil ? .closed : .open, concurrency: concurrency, rate: rate, redeemed: redeemed,
                algorithm: algorithm),
            round: round, began: 1_795_000_000, recorder: recorder)
        if let processorTime {
            run.usage = TargetUsage(
                secondsPerThousand: processorTime, userSecondsPerThousand: processorTime / 2,
                systemSecondsPerThousand: processorTime / 2, processors: 0.5, foreignProcessors: 0.1,
                ownSecondsPerThousand: 0.1, residentIdle: 20, residentLoaded: 25, residentAfter: 24,
                proportionalIdle: 18, proportionalAfter: 22, processes: 1, residentGrowth: residentGrowth)
        }
        run.step = step
        return run
    }
}

extension MachineDescription {
    /// A machine that is none.
    static let made = MachineDescription(
        processor: "2 x <Test & Co>", memory: 24, system: "Debian, Linux 6", compiler: "Swift 6.3, release",
        targetProcessors: "0", ownProcessors: "1", loadAverage: "0.1 0.2 0.3")
}
