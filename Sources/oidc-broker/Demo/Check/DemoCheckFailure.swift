// SPDX-License-Identifier: Apache-2.0

/// The failure of a step of the check.
struct DemoCheckFailure: Error, CustomStringConvertible {
    /// The step, as printed in the report.
    let step: String
    /// The reason, without bodies and URLs with parameters, since these may contain codes and tokens.
    let reason: String

    var description: String { "FAILED: \(step): \(reason)" }
}
