// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement

/// A limited wait until the machine is not busy with other work.
enum QuietMachine {
    /// The share of all processors that may be busy.
    private static let busyShare = 0.15

    /// Waits until a second was quiet, at most the given number of seconds.
    static func wait(seconds: Int) async {
        guard seconds > 0 else { return }
        for _ in 0..<seconds {
            let before = ProcessorTimes(SystemFile.text("/proc/stat") ?? "")
            let begin = MonotonicClock.now()
            try? await Task.sleep(for: .seconds(1))
            let after = ProcessorTimes(SystemFile.text("/proc/stat") ?? "")
            let elapsed = Double(MonotonicClock.now() - begin) / 1_000_000_000
            let busy = Double(after.busyTicks(of: []) - before.busyTicks(of: [])) / ProcessTree.ticksPerSecond
            guard after.count > 0, elapsed > 0 else { return }
            if busy / elapsed / Double(after.count) < busyShare { return }
        }
        let load = (SystemFile.text("/proc/loadavg") ?? "").prefix { $0 != "\n" }
        StandardError.write("The machine did not become quiet: \(load)")
    }
}
