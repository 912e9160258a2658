// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty

/// A clock that stands still: nothing ends and nothing is fetched again while instructions are counted, however long a
/// run takes under valgrind.
struct StillClock: UnixClock, ElapsedClock {
    func now() -> Int64 { 1_795_000_000 }
}
