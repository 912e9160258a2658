// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The turns of those who change the account or the session: one at a time, in the order in which they came. A state
/// machine without tasks.
struct Turns<Waiter: Sendable>: Sendable {
    private struct Place: Sendable {
        let id: UUID
        let waiter: Waiter
    }

    private var isTaken = false
    private var line: [Place] = []

    /// The number of those who stand in line.
    var count: Int { line.count }

    /// Takes the turn, or a place at the end of the line.
    /// - Returns: Whether it is the turn already.
    mutating func take(_ id: UUID, _ waiter: Waiter) -> Bool {
        guard isTaken else {
            isTaken = true
            return true
        }
        line.append(Place(id: id, waiter: waiter))
        return false
    }

    /// Passes the turn on.
    /// - Returns: Whose turn it is; `nil` if the queue is empty.
    mutating func pass() -> Waiter? {
        guard !line.isEmpty else {
            isTaken = false
            return nil
        }
        return line.removeFirst().waiter
    }

    /// Leaves the line.
    /// - Returns: Who stood there; `nil` if that place is not in the line, since its turn came.
    mutating func leave(_ id: UUID) -> Waiter? {
        line.firstIndex { $0.id == id }.map { line.remove(at: $0).waiter }
    }
}
