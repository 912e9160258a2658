// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import Testing
import TestingSupport

@Suite struct FailurePauseTests {
    private static let down = RelyingPartyError.status(.discovery, 503)

    @Test func `the pause doubles from failure to failure, up to a minute`() {
        var pause = FailurePause()
        #expect(pause.error(now: 1000) == nil)
        var now: Int64 = 1000
        for seconds in [2, 4, 8, 16, 32, 60, 60] as [Int64] {
            pause.failed(Self.down, now: now)
            #expect(pause.error(now: now) == Self.down)
            #expect(pause.error(now: now + seconds - 1) == Self.down)
            #expect(pause.error(now: now + seconds) == nil)
            now += seconds
        }
    }

    @Test func `a success ends it, and the next failure is a first one`() {
        var pause = FailurePause()
        for now in [1000, 1002, 1006] as [Int64] { pause.failed(Self.down, now: now) }
        pause.succeeded()
        #expect(pause.error(now: 1006) == nil)
        pause.failed(Self.down, now: 1007)
        #expect(pause.error(now: 1008) == Self.down)
        #expect(pause.error(now: 1009) == nil)
    }

    @Test func `a failure of long ago makes the next one a first one`() {
        for (gap, seconds) in [(299, 4), (300, 2)] as [(Int64, Int64)] {
            var pause = FailurePause()
            pause.failed(Self.down, now: 1000)
            pause.failed(Self.down, now: 1000 + gap)
            #expect(pause.error(now: 1000 + gap + seconds - 1) == Self.down)
            #expect(pause.error(now: 1000 + gap + seconds) == nil)
        }
    }

    @Test(.attack(.clockThatGoesBack)) func `a clock that is set back delays no fetch`() {
        var pause = FailurePause()
        pause.failed(Self.down, now: 1000)
        #expect(pause.error(now: 999) == nil)
        pause.failed(Self.down, now: 400)
        #expect(pause.error(now: 401) == Self.down)
        #expect(pause.error(now: 402) == nil)
    }
}
