// SPDX-License-Identifier: Apache-2.0

/// Who is measured after whom.
package enum TurnOrder {
    /// The order of a turn: another begins each time, and every second turn goes backwards.
    ///
    /// What drifts steadily drifts for all alike, and nobody always follows the same one, or itself.
    ///
    /// - Parameters:
    ///   - count: How many there are.
    ///   - turn: The number of the turn, from 1.
    package static func order(of count: Int, turn: Int) -> [Int] {
        guard count > 0 else { return [] }
        let rotated = (0..<count).map { ($0 + turn - 1) % count }
        return turn.isMultiple(of: 2) ? rotated.reversed() : rotated
    }
}
