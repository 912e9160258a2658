// SPDX-License-Identifier: Apache-2.0

/// Values in numbered slots. A slot that becomes free is reused, so the number of slots is never above the maximum
/// number of values at one time.
@usableFromInline
package struct ReusedSlots<Value> {
    @usableFromInline var values: [Value?] = []
    @usableFromInline var free: [Int] = []

    /// Creates an empty collection.
    @inlinable
    package init() {}

    /// The number of values.
    @inlinable
    package var count: Int { values.count - free.count }

    /// The numbers of all slots, those that are free included.
    @inlinable
    package var indices: Range<Int> { values.indices }

    /// The value in a slot; `nil` if it is free or there is no such slot.
    @inlinable
    package subscript(slot: Int) -> Value? { slot < values.count ? values[slot] : nil }

    /// Adds a value.
    ///
    /// - Returns: Its slot until it is removed.
    @inlinable
    package mutating func insert(_ value: Value) -> Int {
        guard let slot = free.popLast() else {
            values.append(value)
            return values.count - 1
        }
        values[slot] = value
        return slot
    }

    /// Replaces the value in a slot that is not free.
    @inlinable
    package mutating func replace(_ slot: Int, with value: Value) {
        guard self[slot] != nil else { return }
        values[slot] = value
    }

    /// Removes the value in a slot, if there is one.
    @inlinable
    package mutating func remove(_ slot: Int) {
        guard self[slot] != nil else { return }
        values[slot] = nil
        free.append(slot)
    }
}

extension ReusedSlots: Sendable where Value: Sendable {}
