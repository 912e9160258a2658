// SPDX-License-Identifier: Apache-2.0

/// The memory that the entries of one queue take from a row of a ``MemoryBudget``. It is taken in steps, so that most entries
/// need no lock of the budget. There is no other lock: this is a part of the state of its queue.
package struct HeldQueue: Sendable {
    private let row: HeldMemory
    private var budget: MemoryBudget?
    private var steps = MemorySteps()

    /// The memory of the entries, in bytes.
    package var bytes: Int { steps.held }

    /// The most that the entries may hold, in bytes; the maximum of `Int` without a budget.
    package var maximum: Int { budget?.bounds(of: row).maximum ?? .max }

    /// Creates an empty queue.
    /// - Parameters:
    ///   - row: The row.
    ///   - budget: The budget; `nil` to take nothing until ``count(in:)``.
    package init(_ row: HeldMemory, in budget: MemoryBudget?) {
        (self.row, self.budget) = (row, budget)
    }

    /// Takes memory from a budget from now on, and for the entries that are already there.
    package mutating func count(in budget: MemoryBudget) {
        self.budget = budget
        _ = take(0)
    }

    /// Takes memory for an entry.
    /// - Returns: Whether there is room.
    package mutating func take(_ bytes: Int) -> Bool {
        // Without a budget nothing is taken, and so nothing is given back.
        let missing = budget == nil ? 0 : steps.missing(for: bytes)
        if missing > 0, budget?.take(missing, of: row, for: nil) != nil { return false }
        steps.grow(by: bytes, taking: missing)
        return true
    }

    /// Gives back the memory of an entry.
    package mutating func giveBack(_ bytes: Int) {
        let spare = steps.shrink(by: bytes)
        if spare > 0 { budget?.giveBack(spare, of: row, for: nil) }
    }
}

/// Memory that is taken from a budget in steps.
struct MemorySteps: Sendable {
    /// The number of bytes of a step.
    static let byteCount = 16 * 1024

    private(set) var held = 0
    private var taken = 0

    /// Returns the bytes of whole steps that are to be taken before further bytes are held.
    func missing(for bytes: Int) -> Int {
        (max(0, held + bytes - taken) + Self.byteCount - 1) / Self.byteCount * Self.byteCount
    }

    /// Holds further bytes, for which ``missing(for:)`` was taken.
    mutating func grow(by bytes: Int, taking missing: Int) {
        held += bytes
        taken += missing
    }

    /// Holds fewer bytes.
    /// - Returns: The bytes of whole steps that are to be given back.
    mutating func shrink(by bytes: Int) -> Int {
        held = max(0, held - bytes)
        let spare = max(0, taken - held) / Self.byteCount * Self.byteCount
        taken -= spare
        return spare
    }
}
