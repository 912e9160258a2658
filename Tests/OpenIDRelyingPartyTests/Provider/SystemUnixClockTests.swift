// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct SystemUnixClockTests {
    @Test func `is not behind other clocks of the machine where a second begins`() {
        let clock = SystemUnixClock()
        let first = precise()
        var second = first
        while second == first { second = precise() }
        #expect(clock.now() >= second)
    }

    private func precise() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec
    }
}
