// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatencyMeasurement

/// The command `callback-latency compare A.json B.json`, which shows ratios and their possible noise.
struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Set two results beside each other: the ratio of each figure, and its noise.",
        discussion: """
            Noise is how far repetitions lie apart: measure with --rounds. Of a single measurement only what its own \
            seconds say is known. On a machine whose speed drifts two results made one after the other differ by more \
            than that; figures of one run of `table` do not.

            Example: callback-latency compare before.json after.json
            """)

    @Argument(help: "The first result.")
    var first: String

    @Argument(help: "The second result.")
    var second: String

    func run() throws {
        let before = try ResultFile(json: SystemFile.bytes(first))
        let after = try ResultFile(json: SystemFile.bytes(second))
        print("A: \(first)\nB: \(second)\n")
        if before.machine.processor != after.machine.processor || before.machine.system != after.machine.system {
            print("These are of two machines:\nA: \(before.machine.processor), \(before.machine.system)")
            print("B: \(after.machine.processor), \(after.machine.system)\n")
        }
        print(Comparison(before: before.runs, after: after.runs).text)
    }
}
