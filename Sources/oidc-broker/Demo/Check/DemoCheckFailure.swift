// SPDX-License-Identifier: Apache-2.0

/// The step of the check that did not hold.
struct DemoCheckFailure: Error, CustomStringConvertible {
    /// The step, in the words it is printed with.
    let step: String
    /// What was wrong; no URL with parameters and no body, since they may hold codes and tokens.
    let reason: String

    var description: String { "FAILED: \(step): \(reason)" }
}
