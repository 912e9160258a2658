// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The clock of all measurements.
enum MonotonicClock {
    /// The nanoseconds since an arbitrary moment, which never decrease.
    static func now() -> Int64 { Int64(clamping: NIODeadline.now().uptimeNanoseconds) }

    /// The same instant for timers of the event loop.
    static func deadline(_ time: Int64) -> NIODeadline { .uptimeNanoseconds(UInt64(max(time, 0))) }
}
