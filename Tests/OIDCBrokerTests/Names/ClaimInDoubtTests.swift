// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import OIDCBroker

/// The attempts that may have claimed what a name came with.
struct ClaimInDoubtTests {
    private let key = SingleUseKey(.login, [1])

    private func claim(
        _ attempt: SingleUseAttempt, _ error: (any Error)? = nil, isInDoubt: Bool = false, end: Int64 = 600
    ) -> ClaimInDoubt {
        ClaimInDoubt(
            key: key, end: NIODeadline.uptimeNanoseconds(0) + .seconds(end),
            claiming: Claiming(key: key, attempt: attempt, isInDoubt: isInDoubt), error: error)
    }

    @Test(arguments: [SharedStoreError.away, .tooMany])
    func `an attempt that was never sent counts only if an earlier request sent it`(error: SharedStoreError) {
        let attempt = SingleUseAttempt()
        #expect(claim(attempt, error).attempts.isEmpty)
        #expect(claim(attempt, error, isInDoubt: true).attempts == [attempt])
    }

    @Test(arguments: [.timedOut, .unconfirmed, nil] as [SharedStoreError?])
    func `an attempt that may have been sent counts`(error: SharedStoreError?) {
        let attempt = SingleUseAttempt()
        #expect(claim(attempt, error).attempts == [attempt])
    }

    @Test func `the first eight attempts count, and the first end`() {
        let attempts = (0..<10).map { _ in SingleUseAttempt() }
        var merged = claim(attempts[0])
        for attempt in attempts { merged.merge(claim(attempt, end: 1_200)) }
        #expect(merged.attempts == Array(attempts.prefix(8)))
        #expect(merged.end == NIODeadline.uptimeNanoseconds(0) + .seconds(600))
    }
}
