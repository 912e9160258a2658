// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// The deadlines of requests under way, for which one timer is enough: few deadlines are ever reached, and a timer for
/// each request would be expensive.
///
/// When the timer fires, only the requests that are due are examined, so that a provider that does not respond does not
/// slow down requests to others. It has no clock and no threads of its own.
package struct RequestDeadlines<Request> {
    /// The handle of a request, valid while the request is under way.
    package struct Ticket: Sendable, Hashable {
        fileprivate let slot: Int
        fileprivate let number: UInt64
    }

    fileprivate struct Entry {
        let request: Request
        let number: UInt64
    }

    /// The deadline of a request, which may have ended in the meantime.
    private struct Due: Comparable, Sendable {
        let deadline: NIODeadline
        let ticket: Ticket

        static func < (left: Self, right: Self) -> Bool {
            (left.deadline, left.ticket.number) < (right.deadline, right.ticket.number)
        }
    }

    private var entries = ReusedSlots<Entry>()
    private var order = EarliestFirst<Due>()
    private var number: UInt64 = 0
    private var timer: NIODeadline?

    /// Creates an empty set of deadlines.
    package init() {}

    /// The number of entries, including those of requests that have ended: at most 64 more than twice the number of
    /// requests under way.
    package var placeCount: Int { order.count }

    /// Adds a request.
    ///
    /// - Returns: The ticket of the request, and the time at which a new timer must fire; `nil` if a timer that is
    ///   already set fires early enough.
    package mutating func add(_ request: Request, deadline: NIODeadline) -> (ticket: Ticket, timer: NIODeadline?) {
        number += 1
        let slot = entries.insert(Entry(request: request, number: number))
        let ticket = Ticket(slot: slot, number: number)
        order.insert(Due(deadline: deadline, ticket: ticket))
        if let timer, timer <= deadline { return (ticket, nil) }
        timer = deadline
        return (ticket, deadline)
    }

    /// Removes a request that has ended. A request whose deadline was reached has already been removed.
    package mutating func remove(_ ticket: Ticket) {
        guard isUnderWay(ticket) else { return }
        entries.remove(ticket.slot)
        // Entries of ended requests are not removed each time: most are dropped when their deadline comes.
        if order.count > 2 * entries.count + 64 {
            let entries = entries
            order.keep { entries[$0.ticket.slot]?.number == $0.ticket.number }
        }
    }

    private func isUnderWay(_ ticket: Ticket) -> Bool { entries[ticket.slot]?.number == ticket.number }

    /// Handles a timer that fired, even if another one has superseded it.
    ///
    /// - Returns: The requests that have reached their deadline, the earliest first, and the time at which a new timer
    ///   must fire, if one must.
    package mutating func timerFired(at now: NIODeadline) -> (due: [Request], timer: NIODeadline?) {
        var due: [Request] = []
        while let first = order.first, first.deadline <= now || !isUnderWay(first.ticket) {
            _ = order.popFirst()
            guard let entry = entries[first.ticket.slot], entry.number == first.ticket.number else { continue }
            due.append(entry.request)
            entries.remove(first.ticket.slot)
        }
        let next = order.first?.deadline
        // A timer that is already set for an earlier time still fires, and calls this function again.
        if let timer, timer > now, next.map({ timer <= $0 }) ?? true { return (due, nil) }
        timer = next
        return (due, next)
    }
}

extension RequestDeadlines: Sendable where Request: Sendable {}
extension RequestDeadlines.Entry: Sendable where Request: Sendable {}
