// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import Testing

@Suite struct FreshnessLifetimeTests {
    @Test(
        arguments: [
            (nil, 3600), ("", 3600), ("public", 3600), ("max-age=600", 600),
            ("public, max-age=600, must-revalidate", 600),
            ("Max-Age=600", 600), ("max-age=\"600\"", 600), (" max-age = 600 ", 600), ("s-maxage=10", 3600),
            ("max-age=60", 60), ("max-age=59", 60), ("max-age=0", 60), ("max-age=86400", 86_400),
            ("max-age=86401", 86_400), ("max-age=99999999999999999999999", 86_400), ("max-age=-1", 60), ("max-age", 60),
            ("max-age=", 60), ("max-age=\"\"", 60), ("max-age=\"", 60), ("max-age=1e9", 60), ("max-age=600 700", 60),
            ("max-age=600, max-age=700", 600), ("max-age=700, max-age=600", 600), ("no-store", 60), ("NO-CACHE", 60),
            ("max-age=600, no-store", 60), ("no-cache, max-age=600", 60), ("no-cache=\"set-cookie\", max-age=600", 60),
            ("xmax-age=600", 3600), (",,,", 3600), ("=600", 3600), ("max-age=\u{664}", 60),
        ] as [(String?, Int64)])
    func `a Cache-Control gives a lifetime within bounds`(field: String?, seconds: Int64) {
        #expect(FreshnessLifetime(cacheControl: field).seconds == seconds)
    }

    @Test(
        arguments: [(nil, 2880), ("max-age=60", 48), ("max-age=86400", 69_120), ("max-age=61", 48)]
            as [(String?, Int64)])
    func `the last fifth of it is for refreshing`(field: String?, seconds: Int64) {
        #expect(FreshnessLifetime(cacheControl: field).refreshAfter == seconds)
    }

    @Test func `a document is fresh, ageing, expired and gone`() {
        func phase(_ age: Int64, _ cacheControl: String? = nil) -> CachedDocument<Int>.Phase {
            CachedDocument(
                FetchedDocument(1, lifetime: FreshnessLifetime(cacheControl: cacheControl)), fetchedAt: 1000
            ).phase(now: 1000 + age)
        }
        #expect(phase(0) == .fresh)
        #expect(phase(2879) == .fresh)
        #expect(phase(2880) == .ageing)
        #expect(phase(3599) == .ageing)
        #expect(phase(3600) == .expired)
        #expect(phase(86_399) == .expired)
        #expect(phase(86_400) == .gone)
        // A day is the end, whatever the provider says.
        #expect(phase(86_399, "max-age=86400") == .ageing)
        #expect(phase(86_400, "max-age=86400") == .gone)
        // A clock that went back: what is of no known age is not used.
        for age in [-1, -600, -86_400, -315_360_000] as [Int64] { #expect(phase(age) == .gone) }
    }
}
