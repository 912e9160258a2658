// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The check of whether what was written to a socket is sent in time. It has no channel and no timer.
///
/// A write only adds its bytes to a counter. Periodically it is checked how many bytes still wait. If some do, their
/// position is remembered, and if the first of them is not sent one limit later, the client does not read. A stalled
/// client is therefore detected after one limit to four thirds of it.
struct WriteProgress {
    /// The result of a check.
    enum Finding: Hashable {
        /// No bytes wait.
        case clear
        /// Some bytes wait; check again at this time.
        case waits(until: NIODeadline)
        /// Bytes waited too long.
        case stalled
    }

    /// The time for which bytes may wait.
    let limit: TimeAmount
    private var written: UInt64 = 0
    private var mark: (written: UInt64, end: NIODeadline)?

    init(limit: TimeAmount) {
        self.limit = limit
    }

    /// The interval of the checks.
    var interval: TimeAmount { .nanoseconds(max(1, limit.nanoseconds / 3)) }

    /// Records bytes that were passed to the socket.
    mutating func wrote(_ bytes: Int) {
        written &+= UInt64(clamping: bytes)
    }

    /// Checks the progress.
    /// - Parameter waiting: The number of bytes that the socket has not accepted yet.
    mutating func looked(at now: NIODeadline, waiting: Int) -> Finding {
        guard waiting > 0 else {
            mark = nil
            return .clear
        }
        let out = written &- min(written, UInt64(clamping: waiting))
        if let mark, out < mark.written {
            return mark.end <= now ? .stalled : .waits(until: mark.end)
        }
        mark = (written, now + limit)
        return .waits(until: now + limit)
    }
}
