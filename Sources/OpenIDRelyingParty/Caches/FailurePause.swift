// SPDX-License-Identifier: Apache-2.0

/// The negative cache of fetches: after a failure nothing is fetched for a pause, which grows with each failure.
package struct FailurePause: Sendable {
    /// The pause after the first failure, in seconds. It doubles with each further failure.
    package static let first: Int64 = 2
    /// The longest pause, in seconds.
    package static let longest: Int64 = 60
    /// The time after which a failure is forgotten, in seconds: the next failure then counts as the first one.
    package static let forgottenAfter: Int64 = 300

    private var last: (error: RelyingPartyError, at: Int64, pause: Int64)?
    /// The error of the last failure and the time of the first one, since the last success; `nil` if there was none.
    package private(set) var failures: (error: RelyingPartyError, since: Int64)?

    package init() {}

    /// Records that a fetch failed.
    package mutating func failed(_ error: RelyingPartyError, now: Int64) {
        var pause = Self.first
        if let last, (0..<Self.forgottenAfter).contains(now - last.at) { pause = min(last.pause * 2, Self.longest) }
        last = (error, now, pause)
        failures = (error, failures?.since ?? now)
    }

    /// Records that a fetch succeeded.
    package mutating func succeeded() {
        last = nil
        failures = nil
    }

    /// The error of the last fetch while its pause lasts; `nil` if a fetch may be made. A clock that went back ends the
    /// pause.
    package func error(now: Int64) -> RelyingPartyError? {
        guard let last, (0..<last.pause).contains(now - last.at) else { return nil }
        return last.error
    }
}
