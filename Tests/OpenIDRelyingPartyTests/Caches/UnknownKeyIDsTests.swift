// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDRelyingParty
import Testing
import TestingSupport

@Suite struct UnknownKeyIDsTests {
    /// The ledger behind a reference, for `#expect`.
    private final class Ledger {
        private var ids = UnknownKeyIDs()

        var count: Int { ids.count }

        func admits(_ keyID: String, now: Int64) -> Bool { ids.admits(WireText(keyID), now: now) }
        func missed(_ keyID: String) { ids.missed(WireText(keyID)) }
        func failed(now: Int64) { ids.failed(now: now) }
        func fetched(_ keys: KeySet) { ids.fetched(keys) }
    }

    @Test(.attack(.unknownKeyFlood)) func `the first is admitted at once, then one per cooldown whatever the id`() {
        let ids = Ledger()
        #expect(ids.admits("a", now: 1000))
        #expect(!ids.admits("a", now: 1000))
        #expect(!ids.admits("b", now: 1029))
        #expect(ids.admits("b", now: 1030))
        #expect(!ids.admits("c", now: 1059))
        #expect(ids.admits("c", now: 1060))
    }

    @Test func `a fetch that came to nothing does not use the cooldown up`() {
        let ids = Ledger()
        #expect(ids.admits("new", now: 1000))
        ids.failed(now: 1001)
        #expect(!ids.admits("new", now: 1002))
        #expect(ids.admits("new", now: 1003))
        #expect(!ids.admits("new", now: 1032))
    }

    @Test(.attack(.unknownKeyFlood)) func `an id that was missed waits ever longer, up to ten minutes`() {
        let ids = Ledger()
        var now: Int64 = 1000
        #expect(ids.admits("bad", now: now))
        ids.missed("bad")
        for pause in [30, 60, 120, 240, 480, 600, 600] as [Int64] {
            #expect(!ids.admits("bad", now: now + pause - 1))
            #expect(ids.admits("bad", now: now + pause))
            ids.missed("bad")
            now += pause
        }
    }

    @Test(.attack(.unknownKeyFlood)) func `at most a hundred are remembered, the oldest is forgotten`() throws {
        let ids = Ledger()
        var now: Int64 = 0
        for index in 0..<100 {
            now += 30
            #expect(ids.admits("id-\(index)", now: now))
            ids.missed("id-\(index)")
        }
        #expect(ids.count == 100)
        // The first is missed again, which makes the second the oldest.
        now += 30
        #expect(ids.admits("id-0", now: now))
        ids.missed("id-0")
        #expect(ids.count == 100)
        now += 30
        // Its pause is 60 s now, beyond the cooldown.
        #expect(!ids.admits("id-0", now: now))
        #expect(ids.admits("one more", now: now))
        ids.missed("one more")
        #expect(ids.count == 100)
        ids.fetched(try keySet("id-1"))
        #expect(ids.count == 100)
        ids.fetched(try keySet("id-0", "id-2"))
        #expect(ids.count == 98)
    }

    @Test func `ids are compared byte for byte`() {
        let ids = Ledger()
        #expect(ids.admits("e\u{301}", now: 1000))
        ids.missed("e\u{301}")
        #expect(ids.admits("\u{E9}", now: 1030))
        ids.missed("\u{E9}")
        #expect(ids.count == 2)
    }

    @Test func `an ID without an admitted fetch is not remembered`() {
        let ids = Ledger()
        ids.missed("a")
        #expect(ids.count == 0)
    }

    @Test(.attack(.clockThatGoesBack)) func `a clock that is set back delays no fetch`() {
        let ids = Ledger()
        #expect(ids.admits("a", now: 1000))
        ids.missed("a")
        #expect(ids.admits("a", now: 400))
    }
}
