// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The outcome of a sign-in, as the sample app shows it.
enum SignInOutcome: Sendable {
    /// A token was received and validated.
    case received(SignInReport)
    /// The user declined.
    case denied
    /// The sign-in failed. The reason is shown, and contains nothing from outside except an OAuth error code.
    case failed(reason: String)
}

/// The report of the sample app on a sign-in.
struct SignInReport: Sendable {
    /// A single check.
    struct Check: Sendable, Hashable {
        /// The description of the check.
        let name: String
        /// Whether the check passed.
        let hasPassed: Bool
    }

    /// A timed step.
    struct Step: Sendable, Hashable {
        /// The description of the step.
        let name: String
        /// The duration of the step.
        let duration: Duration
    }

    /// All checks, in order.
    private(set) var checks: [Check] = []
    /// All steps, in order.
    private(set) var steps: [Step] = []
    /// The claims of the broker's ID token; empty unless its signature is valid.
    var claims = JSONObject()
    /// The claims of the provider's ID token, as the broker verified them; empty if the app is not allowed to have
    /// them.
    var upstreamClaims = JSONObject()

    /// The name that was sent next to the ID token, which no signature covers; empty if there is none.
    var user = JSONObject()

    /// Whether there were checks and all of them passed.
    var isVerified: Bool { !checks.isEmpty && checks.allSatisfy(\.hasPassed) }

    /// Adds a check.
    mutating func check(_ name: String, _ hasPassed: Bool) {
        checks.append(Check(name: name, hasPassed: hasPassed))
    }

    /// Adds a step that began at `start` and ends now.
    mutating func step(_ name: String, since start: ContinuousClock.Instant) {
        steps.append(Step(name: name, duration: start.duration(to: .now)))
    }
}
