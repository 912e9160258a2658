// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// What each open stream of an HTTP/2 connection waits for, and until when. No timer, no channel: each function says when
/// the one timer of the connection has to look, and ``looked(at:)`` what is overdue then.
///
/// Streams come and go with every request; so nothing is scheduled for one whose time ends behind that of another.
struct StreamDeadlines {
    /// What a stream waits for.
    enum Wait: Hashable {
        /// The rest of its request.
        case request
        /// The broker's response; the broker has a deadline of its own, which comes first.
        case response
        /// The client, to take a response that is complete: a window, or a socket.
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

    /// From a request's head to its end.
    let request: TimeAmount
    /// From a request's end to its response, and from there until the last byte is on its way.
    let response: TimeAmount

    private var entries: [Entry?] = []
    private var free: [Int] = []
    /// When the timer looks; `nil` if it does not.
    private var look: NIODeadline?

    init(request: TimeAmount, response: TimeAmount) {
        self.request = request
        self.response = response
    }

    /// A stream waits.
    ///
    /// - Returns: the stream's slot until ``ended(_:)``, and when the timer has to look, where that is sooner than it does.
    mutating func began(_ wait: Wait, at now: NIODeadline) -> (slot: Int, look: NIODeadline?) {
        let entry = Entry(wait: wait, end: end(of: wait, from: now))
        let slot: Int
        if let last = free.popLast() {
            slot = last
            entries[slot] = entry
        } else {
            slot = entries.count
            entries.append(entry)
        }
        return (slot, sooner(entry.end))
    }

    /// A stream waits for something else now. Nothing is behind a response: a request that goes on behind it changes
    /// nothing.
    ///
    /// - Returns: when the timer has to look, where that is sooner than it does.
    mutating func proceeded(_ slot: Int, to wait: Wait, at now: NIODeadline) -> NIODeadline? {
        guard slot < entries.count, let entry = entries[slot], entry.wait != .delivery else { return nil }
        let end = end(of: wait, from: now)
        entries[slot] = Entry(wait: wait, end: end)
        return sooner(end)
    }

    /// A stream is closed. Its slot is another's from now on.
    mutating func ended(_ slot: Int) {
        guard slot < entries.count, entries[slot] != nil else { return }
        entries[slot] = nil
        free.append(slot)
    }

    /// The timer looks.
    ///
    /// - Returns: what is overdue, each stream once, and when to look again.
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
