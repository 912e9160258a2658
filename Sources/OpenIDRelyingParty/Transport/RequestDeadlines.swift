// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// The deadlines of requests that are under way, kept by one timer: nearly none is ever reached, and a timer for each
/// costs more than all else that is done about them. Without a clock and without threads.
package struct RequestDeadlines<Request> {
    /// A place in it, for as long as the request is under way.
    package struct Ticket: Sendable, Hashable {
        fileprivate let slot: Int
        fileprivate let number: UInt64
    }

    fileprivate struct Entry {
        let request: Request
        let deadline: NIODeadline
        let number: UInt64
    }

    private var entries: [Entry?] = []
    private var free: [Int] = []
    private var number: UInt64 = 0
    private var timer: NIODeadline?

    /// No request.
    package init() {}

    /// A request begins.
    ///
    /// - Returns: its ticket, and when a timer is to fire that is not set yet; nil where an earlier one is.
    package mutating func add(_ request: Request, deadline: NIODeadline) -> (ticket: Ticket, timer: NIODeadline?) {
        number += 1
        let entry = Entry(request: request, deadline: deadline, number: number)
        let slot: Int
        if let last = free.popLast() {
            slot = last
            entries[slot] = entry
        } else {
            slot = entries.count
            entries.append(entry)
        }
        let ticket = Ticket(slot: slot, number: number)
        if let timer, timer <= deadline { return (ticket, nil) }
        timer = deadline
        return (ticket, deadline)
    }

    /// A request has ended; nothing where its deadline was reached before.
    package mutating func remove(_ ticket: Ticket) {
        guard entries[ticket.slot]?.number == ticket.number else { return }
        entries[ticket.slot] = nil
        free.append(ticket.slot)
    }

    /// A timer fires; also one that another has overtaken.
    ///
    /// - Returns: the requests that have reached their deadline, and when the next timer is to fire, if one is.
    package mutating func timerFired(at now: NIODeadline) -> (due: [Request], timer: NIODeadline?) {
        var due: [Request] = []
        var next: NIODeadline?
        for (slot, entry) in entries.enumerated() {
            guard let entry else { continue }
            if entry.deadline <= now {
                due.append(entry.request)
                entries[slot] = nil
                free.append(slot)
            } else {
                next = next.map { min($0, entry.deadline) } ?? entry.deadline
            }
        }
        // An earlier one that is set still fires, and looks again.
        if let timer, timer > now, next.map({ timer <= $0 }) ?? true { return (due, nil) }
        timer = next
        return (due, next)
    }
}

extension RequestDeadlines: Sendable where Request: Sendable {}
extension RequestDeadlines.Entry: Sendable where Request: Sendable {}
