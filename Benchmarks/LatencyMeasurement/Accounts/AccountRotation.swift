// SPDX-License-Identifier: Apache-2.0

/// The order in which users or sessions are used: one after the other, and again from the first, so that the uses of
/// each are as far apart as possible. It has no clock.
package struct AccountRotation: Sendable, Hashable {
    private let count: Int
    private let mostUses: Int?
    private var given = 0

    /// Creates a rotation.
    ///
    /// - Parameters:
    ///   - count: The number of users or sessions.
    ///   - allowance: How often each may be used; `nil` for any number of times.
    package init(count: Int, allowance: Int?) {
        let count = max(count, 0)
        self.count = count
        mostUses = allowance.map { max($0, 0) * count }
    }

    /// Returns the position of the next one; `nil` if all have been used as often as they may be.
    package mutating func next() -> Int? {
        guard !isExhausted else { return nil }
        defer { given += 1 }
        return given % count
    }

    /// Whether none may be used again.
    package var isExhausted: Bool { count == 0 || mostUses.map { given >= $0 } ?? false }

    /// The share of all uses that were given, 0 to 1; 0 if there is no limit.
    package var usedShare: Double {
        guard let mostUses, mostUses > 0 else { return 0 }
        return Double(given) / Double(mostUses)
    }
}
