// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement

/// What measurements of one command have in common.
struct MeasurementSettings: Sendable {
    /// How long is measured, seconds.
    var duration: Double
    /// How long is driven before, unmeasured, seconds.
    var warmUp: Double
    /// Every such sign-in's ID token has a broken signature; nil for none.
    var spoilsEvery: Int?
    /// Whether it is seen first what the target refuses.
    var checks: Bool
    /// Where the target runs.
    var targetProcessors: ProcessorList?
    /// Where this tool runs.
    var ownProcessors: ProcessorList?
    /// The process of a target that runs already.
    var processID: Int?
    /// Whether there is a line of progress each second.
    var showsProgress: Bool
}
