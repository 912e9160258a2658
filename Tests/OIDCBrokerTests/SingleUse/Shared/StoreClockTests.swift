// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import SingleUse

/// How the clock of a store that replicas share is compared.
struct StoreClockTests {
    private let clock = TestClock()
    private let log = CapturedLog()

    private func store() -> StoreClock { StoreClock(tolerance: 60, logger: log.logger, now: clock.now) }

    private func at(_ seconds: Int64) -> NIODeadline {
        .uptimeNanoseconds(1_000_000_000_000) + .seconds(seconds)
    }

    private var warnings: [String] {
        log.lines.filter { $0.level == .warning }.map { "\($0.metadata["auth.seconds"] ?? "")" }
    }

    @Test(arguments: [0, 60, -60] as [Int64])
    func `a minute is as it should be`(difference: Int64) {
        let store = self.store()
        #expect(store.offset == nil)
        store.compare(clock.now() + difference, at: at(0))
        #expect(store.offset == difference)
        #expect(warnings.isEmpty)
    }

    @Test(arguments: [61, -61, 86_400] as [Int64])
    func `more is a warning with the difference`(difference: Int64) {
        let store = self.store()
        store.compare(clock.now() + difference, at: at(0))
        #expect(store.offset == difference)
        #expect(warnings == ["\(difference)"])
    }

    @Test func `once a minute, whatever many connections say`() {
        let store = self.store()
        for second in 0..<60 { store.compare(clock.now() + 100, at: at(Int64(second))) }
        #expect(warnings.count == 1)
        store.compare(clock.now() + 100, at: at(60))
        #expect(warnings.count == 2)
        store.compare(clock.now() + 1, at: at(200))
        #expect(store.offset == 1)
        #expect(warnings.count == 2)
    }

    @Test func `a time that is far from every clock overflows nothing`() {
        let store = self.store()
        store.compare(.min, at: at(0))
        #expect(store.offset == .min)
        store.compare(.max, at: at(100))
        #expect((store.offset ?? 0) > 86_400)
        #expect(warnings.count == 2)
    }

    @Test func `each connection tells all listeners`() {
        let time = ServerTime()
        let (first, second) = (store(), store())
        time.told(seconds: 1, at: at(0))
        for store in [first, second] { time.observe { store.compare($0, at: $1) } }
        #expect(first.offset == nil)
        time.told(seconds: clock.now() + 7, at: at(1))
        #expect(first.offset == 7)
        #expect(second.offset == 7)
    }
}
