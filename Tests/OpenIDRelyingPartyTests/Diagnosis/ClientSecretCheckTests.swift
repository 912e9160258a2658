// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import Testing

/// When a client secret ends, by what the configuration says.
@Suite struct ClientSecretCheckTests {
    private static let now: Int64 = 1_800_000_000
    static let day: Int64 = 86_400

    @Test(
        arguments: [
            (30 * day, .ok, "30 days left"), (400 * day, .ok, "400 days left"),
            (30 * day - 1, .unknown, "29 days left"), (1, .unknown, "0 days left"), (0, .wrong, "ended 0 days ago"),
            (-3 * day, .wrong, "ended 3 days ago"),
        ] as [(Int64, LiveCheck.Verdict, String)])
    func `named as one to renew for thirty days, and wrong from its end on`(
        left: Int64, verdict: LiveCheck.Verdict, found: String
    ) {
        let check = LiveCheck.clientSecret(of: "acme", end: Self.now + left, now: Self.now)
        #expect(check.subject == .clientSecret)
        #expect(check.provider == "acme")
        #expect(check.verdict == verdict)
        #expect(check.found == found)
        #expect((check.advice == nil) == (verdict == .ok))
        #expect(check.advice?.contains("auth.provider.acme.client-secret") != false)
    }

    @Test func `no time makes it trap`() {
        for end in [Int64.min, 0, Int64.max] {
            for now in [Int64.min, 0, Int64.max] { _ = LiveCheck.clientSecret(of: "acme", end: end, now: now) }
        }
    }
}
