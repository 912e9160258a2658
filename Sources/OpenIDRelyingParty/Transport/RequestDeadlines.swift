// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// The deadlines of requests that are under way, kept by one timer: nearly none is ever reached, and a timer for each
/// costs more than all else that is done about them. A timer looks at what is due and at nothing else, so that a provider
/// that does not respond is no trouble for those that do. Without a clock and without threads.
package struct RequestDeadlines<Request> {
    /// A place in it, for as long as the request is under way.
    package struct Ticket: Sendable, Hashable {
        fileprivate let slot: Int
        fileprivate let number: UInt64
    }

    fileprivate struct Entry {
        let request: Request
        let number: UInt64
    }

    /// When a request is due; it may have ended since.
    private struct Due: Comparable, Sendable {
        let deadline: NIODeadline
        let ticket: Ticket

        static func < (left: Self, right: Self) -> Bool {
            (left.deadline, left.ticket.number) < (right.deadline, right.ticket.number)
        }
    }

    private var entries: [Entry?] = []
    private var free: [Int] = []
    private var order = EarliestFirst<Due>()
    private var number: UInt64 = 0
    private var timer: NIODeadline?

    /// No request.
    package init() {}

    /// How many places are taken, those of requests that have ended included: at most twice those under way, and 64.
    package var placeCount: Int { order.count }

    /// A request begins.
    ///
    /// - Returns: its ticket, and when a timer is to fire that is not set yet; `nil` if an earlier one is.
    package mutating func add(_ request: Request, deadline: NIODeadline) -> (ticket: Ticket, timer: NIODeadline?) {
        number += 1
        let entry = Entry(request: request, number: number)
        let slot: Int
        if let last = free.popLast() {
            slot = last
            entries[slot] = entry
        } else {
            slot = entries.count
            entries.append(entry)
        }
        let ticket = Ticket(slot: slot, number: number)
        order.insert(Due(deadline: deadline, ticket: ticket))
        if let timer, timer <= deadline { return (ticket, nil) }
        timer = deadline
        return (ticket, deadline)
    }

    /// A request has ended; nothing where its deadline was reached before.
    package mutating func remove(_ ticket: Ticket) {
        guard isUnderWay(ticket) else { return }
        entries[ticket.slot] = nil
        free.append(ticket.slot)
        // Not at each: they are passed over when their time comes, and most go then.
        if order.count > 2 * (entries.count - free.count) + 64 {
            let entries = entries
            order.keep { entries[$0.ticket.slot]?.number == $0.ticket.number }
        }
    }

    private func isUnderWay(_ ticket: Ticket) -> Bool { entries[ticket.slot]?.number == ticket.number }

    /// A timer fires; also one that another has overtaken.
    ///
    /// - Returns: the requests that have reached their deadline, the earliest first, and when the next timer is to fire,
    ///   if one is.
    package mutating func timerFired(at now: NIODeadline) -> (due: [Request], timer: NIODeadline?) {
        var due: [Request] = []
        while let first = order.first, first.deadline <= now || !isUnderWay(first.ticket) {
            _ = order.popFirst()
            guard let entry = entries[first.ticket.slot], entry.number == first.ticket.number else { continue }
            due.append(entry.request)
            entries[first.ticket.slot] = nil
            free.append(first.ticket.slot)
        }
        let next = order.first?.deadline
        // An earlier one that is set still fires, and looks again.
        if let timer, timer > now, next.map({ timer <= $0 }) ?? true { return (due, nil) }
        timer = next
        return (due, next)
    }
}

extension RequestDeadlines: Sendable where Request: Sendable {}
extension RequestDeadlines.Entry: Sendable where Request: Sendable {}
