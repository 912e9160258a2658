// SPDX-License-Identifier: Apache-2.0

/// The negative cache of fetches: after a failure nobody tries again for a while, which grows from failure to failure.
package struct FailurePause: Sendable {
    /// The pause after a first failure, seconds; it doubles from there.
    package static let first: Int64 = 2
    /// The longest pause, seconds.
    package static let longest: Int64 = 60
    /// A failure so many seconds ago, whatever came since, makes the next one a first one.
    package static let forgottenAfter: Int64 = 300

    private var last: (error: RelyingPartyError, at: Int64, pause: Int64)?

    package init() {}

    /// A fetch failed.
    package mutating func failed(_ error: RelyingPartyError, now: Int64) {
        var pause = Self.first
        if let last, (0..<Self.forgottenAfter).contains(now - last.at) { pause = min(last.pause * 2, Self.longest) }
        last = (error, now, pause)
    }

    /// A fetch succeeded.
    package mutating func succeeded() {
        last = nil
    }

    /// The failure that still answers; `nil` if one may try. A clock that went back holds nobody up.
    package func error(now: Int64) -> RelyingPartyError? {
        guard let last, (0..<last.pause).contains(now - last.at) else { return nil }
        return last.error
    }
}
