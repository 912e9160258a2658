// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The clock that everything is measured with.
enum MonotonicClock {
    /// Nanoseconds since some moment; never goes back.
    static func now() -> Int64 { Int64(clamping: NIODeadline.now().uptimeNanoseconds) }

    /// The same instant for the event loop's timers.
    static func deadline(_ time: Int64) -> NIODeadline { .uptimeNanoseconds(UInt64(max(time, 0))) }
}
