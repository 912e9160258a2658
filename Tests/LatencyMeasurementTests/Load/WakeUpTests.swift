// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct WakeUpTests {
    @Test func `a timer is set once for one time`() {
        var wakeUp = WakeUp()
        let first = wakeUp.isWanted(at: 10)
        let again = wakeUp.isWanted(at: 10)
        #expect(first == .set(time: 10, number: 1))
        #expect(again == .keep)
    }

    @Test func `no time, no timer`() {
        var wakeUp = WakeUp()
        let none = wakeUp.isWanted(at: nil)
        _ = wakeUp.isWanted(at: 10)
        let gone = wakeUp.isWanted(at: nil)
        #expect(none == .keep)
        #expect(gone == .cancel)
        let counts = wakeUp.fired(1)
        #expect(!counts)
    }

    @Test func `after it has fired the same time needs another`() {
        var wakeUp = WakeUp()
        _ = wakeUp.isWanted(at: 10)
        let counts = wakeUp.fired(1)
        let next = wakeUp.isWanted(at: 10)
        #expect(counts)
        #expect(next == .set(time: 10, number: 2))
    }

    @Test func `one that was cancelled and fires all the same leaves its successor alone`() {
        var wakeUp = WakeUp()
        _ = wakeUp.isWanted(at: 10)
        let second = wakeUp.isWanted(at: 20)
        #expect(second == .set(time: 20, number: 2))
        let stale = wakeUp.fired(1)
        #expect(!stale)
        // Nothing is set beside the one for 20.
        let action = wakeUp.isWanted(at: 20)
        #expect(action == .keep)
        let counts = wakeUp.fired(2)
        #expect(counts)
    }

    @Test func `one that fires twice counts once`() {
        var wakeUp = WakeUp()
        _ = wakeUp.isWanted(at: 10)
        let counts = wakeUp.fired(1)
        let again = wakeUp.fired(1)
        #expect(counts)
        #expect(!again)
    }
}
