// SPDX-License-Identifier: Apache-2.0

/// The order of measurements.
package enum TurnOrder {
    /// Returns the order of a turn: another target begins each time, and every second turn is reversed.
    ///
    /// Steady drift then affects all targets alike, and no target always follows the same one, or itself.
    ///
    /// - Parameters:
    ///   - count: The number of targets.
    ///   - turn: The number of the turn, counted from 1.
    package static func order(of count: Int, turn: Int) -> [Int] {
        guard count > 0 else { return [] }
        let rotated = (0..<count).map { ($0 + turn - 1) % count }
        return turn.isMultiple(of: 2) ? rotated.reversed() : rotated
    }
}
