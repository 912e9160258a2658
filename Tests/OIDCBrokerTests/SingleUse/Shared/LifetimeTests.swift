// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBroker
@testable import SingleUse

/// Lifetimes in milliseconds, as engines of shared stores take them.
struct LifetimeTests {
    private func lifetime(_ duration: Duration) -> Int64 { duration.lifetimeInMilliseconds }

    @Test func `lifetimes are rounded up`() {
        #expect(lifetime(.milliseconds(1)) == 1)
        #expect(lifetime(.nanoseconds(1)) == 1)
        #expect(lifetime(.microseconds(1001)) == 2)
        #expect(lifetime(.seconds(600)) == 600_000)
        #expect(lifetime(.seconds(600) + .nanoseconds(1)) == 600_001)
    }

    @Test func `none is shorter than a millisecond or longer than ten years`() {
        let years: Int64 = 315_360_000_000
        #expect(lifetime(.zero) == 1)
        #expect(lifetime(.seconds(-5)) == 1)
        #expect(lifetime(.seconds(Int64.min)) == 1)
        #expect(lifetime(.milliseconds(years) - .nanoseconds(1)) == years)
        #expect(lifetime(.milliseconds(years)) == years)
        #expect(lifetime(.seconds(Int64.max)) == years)
    }
}
