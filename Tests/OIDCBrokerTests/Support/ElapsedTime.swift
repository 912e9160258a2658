// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import OpenIDRelyingParty
import Synchronization

/// Elapsed time that a test moves.
final class ElapsedTime: ElapsedClock {
    private let seconds: Mutex<Int64>

    init(_ now: Int64 = 5000) { seconds = Mutex(now) }

    func now() -> Int64 { seconds.withLock { $0 } }

    func advance(by seconds: Int64) { self.seconds.withLock { $0 += seconds } }
}

/// Elapsed time that follows a wall clock that is not set back.
struct TimeOf: ElapsedClock {
    let clock: TestClock

    init(_ clock: TestClock) { self.clock = clock }

    func now() -> Int64 { clock.now() }
}
