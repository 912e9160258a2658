// SPDX-License-Identifier: Apache-2.0

import JOSE

/// What became of a sign-in, as the sample app shows it.
enum SignInOutcome: Sendable {
    /// A token arrived, and was validated.
    case received(SignInReport)
    /// The person did not want to.
    case denied
    /// It did not work out; the reason is shown and never contains what came from outside, but for an OAuth error
    /// code.
    case failed(reason: String)
}

/// What the sample app received, and what it made of it.
struct SignInReport: Sendable {
    /// One thing that was checked.
    struct Check: Sendable, Hashable {
        /// What.
        let name: String
        /// Whether it held.
        let hasPassed: Bool
    }

    /// One thing that took time.
    struct Step: Sendable, Hashable {
        /// What.
        let name: String
        /// How long.
        let duration: Duration
    }

    /// All checks, in the order they were made.
    private(set) var checks: [Check] = []
    /// All steps, in their order.
    private(set) var steps: [Step] = []
    /// The claims of the broker's ID token; empty until its signature held.
    var claims = JSONObject()
    /// The claims of the provider's ID token, as the broker verified them; empty where the app is not allowed them.
    var upstreamClaims = JSONObject()

    /// The name that came beside the ID token, which nobody vouches for; empty where there is none.
    var user = JSONObject()

    /// Whether there was something to check and all of it held.
    var isVerified: Bool { !checks.isEmpty && checks.allSatisfy(\.hasPassed) }

    /// Notes a check.
    mutating func check(_ name: String, _ hasPassed: Bool) {
        checks.append(Check(name: name, hasPassed: hasPassed))
    }

    /// Notes how long something took that began at `start` and ended now.
    mutating func step(_ name: String, since start: ContinuousClock.Instant) {
        steps.append(Step(name: name, duration: start.duration(to: .now)))
    }
}
