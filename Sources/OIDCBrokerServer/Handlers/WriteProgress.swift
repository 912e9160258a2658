// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Whether what was written to a socket gets out of it in time. No channel, no timer.
///
/// Nothing is done for a write but to count its bytes. Now and then somebody looks how many bytes still wait: where some
/// do, it is remembered how far they go, and if the first of them is not out one limit later the client does not read. So
/// it is found out between one limit and four thirds of it.
struct WriteProgress {
    /// What a look finds.
    enum Finding: Hashable {
        /// Nothing waits.
        case clear
        /// Something waits; look again then.
        case waits(until: NIODeadline)
        /// It waited too long.
        case stalled
    }

    /// How long bytes may wait.
    let limit: TimeAmount
    private var written: UInt64 = 0
    private var mark: (written: UInt64, end: NIODeadline)?

    init(limit: TimeAmount) {
        self.limit = limit
    }

    /// How often to look.
    var interval: TimeAmount { .nanoseconds(max(1, limit.nanoseconds / 3)) }

    /// Bytes were handed to the socket.
    mutating func wrote(_ bytes: Int) {
        written &+= UInt64(clamping: bytes)
    }

    /// Somebody looks.
    /// - Parameter waiting: how many bytes the socket has not taken yet.
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
