// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty
import OpenIDRelyingPartyNIO
import Testing

/// For how long idle connections are kept, without connections and without a clock.
@Suite struct IdleLifetimeTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    @Test(
        arguments: [
            (nil, 60), ("timeout=5", 4), ("timeout=5, max=100", 4), ("max=100, timeout=5", 4), ("Timeout=15", 14),
            ("timeout=1", 0), ("timeout=0", 0), ("timeout=3600", 60), ("timeout=99999999999999999999999", 60),
            ("timeout=x", 60), ("timeout", 60), ("timeout=", 60), ("", 60), ("timeout=-1", 60),
            (String(repeating: "a", count: 200) + ",timeout=5", 60),
        ] as [(String?, Int64)])
    func `a server's own word counts, less a second`(field: String?, seconds: Int64) {
        var lifetime = IdleLifetime()
        lifetime.answered(keepAlive: field)
        #expect(lifetime.limit(at: Self.start) == .seconds(seconds))
    }

    @Test func `an end teaches for an hour, and never to keep for longer`() {
        var lifetime = IdleLifetime()
        lifetime.ended(afterIdle: .seconds(20), at: Self.start)
        #expect(lifetime.limit(at: Self.start) == .seconds(15))
        lifetime.ended(afterIdle: .seconds(18), at: Self.start)
        #expect(lifetime.limit(at: Self.start) == .seconds(15))
        lifetime.ended(afterIdle: .seconds(12), at: Self.start)
        #expect(lifetime.limit(at: Self.start) == .seconds(9))
        lifetime.answered(keepAlive: "timeout=30")
        #expect(lifetime.limit(at: Self.start) == .seconds(9))
        #expect(lifetime.limit(at: Self.start + .hours(1)) == .seconds(29))
    }

    @Test func `a restart does not end all reuse`() {
        var lifetime = IdleLifetime()
        lifetime.ended(afterIdle: .milliseconds(1), at: Self.start)
        #expect(lifetime.limit(at: Self.start) == IdleLifetime.shortestLearned)
        lifetime.ended(afterIdle: .nanoseconds(-1), at: Self.start)
        #expect(lifetime.limit(at: Self.start) == IdleLifetime.shortestLearned)
    }
}
