// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement

/// The common settings of the measurements of a command.
struct MeasurementSettings: Sendable {
    /// The duration of a measurement, in seconds.
    var duration: Double
    /// The duration of the warm-up, in seconds.
    var warmUp: Double
    /// The interval of sign-ins whose ID token has a broken signature; `nil` for none.
    var spoilsEvery: Int?
    /// Whether it is checked first what the target refuses.
    var checks: Bool
    /// The processors of the target.
    var targetProcessors: ProcessorList?
    /// The processors of this tool.
    var ownProcessors: ProcessorList?
    /// The process ID of a target that already runs.
    var processID: Int?
    /// Whether a progress line is printed each second.
    var showsProgress: Bool
    /// The file into which the target writes its process ID to enter a control group.
    var controlGroup: String?
}
