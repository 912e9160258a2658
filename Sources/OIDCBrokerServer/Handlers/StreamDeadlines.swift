// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty

/// The deadlines of the open streams of an HTTP/2 connection. It has no timer and no channel: each function returns
/// when the connection's single timer must fire, and ``looked(at:)`` returns what is overdue.
///
/// Streams are as frequent as requests, so nothing is scheduled for a stream whose deadline is later than that of
/// another.
struct StreamDeadlines {
    /// The thing that a stream waits for.
    enum Wait: Hashable {
        /// The remainder of its request.
        case request
        /// The broker's response. The broker has a deadline of its own, which is earlier.
        case response
        /// The client, which must read a complete response: the window or the socket is full.
        case delivery
    }

    /// A stream that waited too long.
    struct Overdue: Hashable {
        let slot: Int
        let wait: Wait
    }

    private struct Entry {
        var wait: Wait
        var end: NIODeadline
    }

    /// The time limit from the head of a request to its end.
    let request: TimeAmount
    /// The time limit from the end of a request to its response, and from there until the last byte is sent.
    let response: TimeAmount

    private var entries = ReusedSlots<Entry>()
    /// The time at which the timer fires; `nil` if it is not scheduled.
    private var look: NIODeadline?

    init(request: TimeAmount, response: TimeAmount) {
        self.request = request
        self.response = response
    }

    /// Records that a stream waits.
    ///
    /// - Returns: The stream's slot until ``ended(_:)``, and the time at which the timer must fire if that is earlier
    ///   than before.
    mutating func began(_ wait: Wait, at now: NIODeadline) -> (slot: Int, look: NIODeadline?) {
        let entry = Entry(wait: wait, end: end(of: wait, from: now))
        return (entries.insert(entry), sooner(entry.end))
    }

    /// Records that a stream waits for something else. A response is final: a request that continues after it changes
    /// nothing.
    ///
    /// - Returns: The time at which the timer must fire if that is earlier than before.
    mutating func proceeded(_ slot: Int, to wait: Wait, at now: NIODeadline) -> NIODeadline? {
        guard let entry = entries[slot], entry.wait != .delivery else { return nil }
        let end = end(of: wait, from: now)
        entries.replace(slot, with: Entry(wait: wait, end: end))
        return sooner(end)
    }

    /// Records the close of a stream, whose slot is then reused.
    mutating func ended(_ slot: Int) {
        entries.remove(slot)
    }

    /// Handles the timer.
    ///
    /// - Returns: The overdue streams, each once, and the time at which the timer must fire again.
    mutating func looked(at now: NIODeadline) -> (overdue: [Overdue], look: NIODeadline?) {
        var overdue: [Overdue] = []
        look = nil
        for slot in entries.indices {
            guard let entry = entries[slot] else { continue }
            if entry.end <= now {
                overdue.append(Overdue(slot: slot, wait: entry.wait))
                ended(slot)
            } else {
                look = min(look ?? entry.end, entry.end)
            }
        }
        return (overdue, look)
    }

    private func end(of wait: Wait, from now: NIODeadline) -> NIODeadline {
        now + (wait == .request ? request : response)
    }

    private mutating func sooner(_ end: NIODeadline) -> NIODeadline? {
        if let look, look <= end { return nil }
        look = end
        return end
    }
}
