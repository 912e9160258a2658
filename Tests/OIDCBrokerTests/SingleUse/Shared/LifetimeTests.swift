// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerValkey

/// Lifetimes in milliseconds.
struct ValkeyLifetimeTests {
    @Test func `lifetimes are rounded up`() {
        #expect(ValkeyLifetime.milliseconds(.milliseconds(1)) == 1)
        #expect(ValkeyLifetime.milliseconds(.nanoseconds(1)) == 1)
        #expect(ValkeyLifetime.milliseconds(.microseconds(1001)) == 2)
        #expect(ValkeyLifetime.milliseconds(.seconds(600)) == 600_000)
        #expect(ValkeyLifetime.milliseconds(.seconds(600) + .nanoseconds(1)) == 600_001)
    }

    @Test func `none is shorter than a millisecond or longer than ten years`() {
        let years: Int64 = 315_360_000_000
        #expect(ValkeyLifetime.milliseconds(.zero) == 1)
        #expect(ValkeyLifetime.milliseconds(.seconds(-5)) == 1)
        #expect(ValkeyLifetime.milliseconds(.seconds(Int64.min)) == 1)
        #expect(ValkeyLifetime.milliseconds(.milliseconds(years) - .nanoseconds(1)) == years)
        #expect(ValkeyLifetime.milliseconds(.milliseconds(years)) == years)
        #expect(ValkeyLifetime.milliseconds(.seconds(Int64.max)) == years)
    }
}
