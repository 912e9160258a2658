// SPDX-License-Identifier: Apache-2.0

/// The values that a key accepts.
package struct SettingBounds<Value: Sendable>: Sendable {
    /// A description of the bounds. It completes the sentence "expected …".
    package let expected: String
    /// A closure that returns whether a value is within the bounds.
    package let hold: @Sendable (Value) -> Bool
    /// A closure that returns why a value is out of bounds, without a part of a secret; `nil` if the bounds say it all.
    private let reason: @Sendable (Value) -> String?

    /// Creates bounds from their description and a predicate.
    package init(
        _ expected: String, reason: @escaping @Sendable (Value) -> String? = { _ in nil },
        _ hold: @escaping @Sendable (Value) -> Bool
    ) {
        self.expected = expected
        self.reason = reason
        self.hold = hold
    }

    /// Returns what was expected instead of a value; `nil` if it is within the bounds.
    package func error(_ value: Value) -> String? {
        guard !hold(value) else { return nil }
        return reason(value).map { "\(expected); \($0)" } ?? expected
    }
}

extension SettingBounds where Value == Int {
    /// Returns the bounds of a range of integers.
    package static func range(_ range: ClosedRange<Int>, _ unit: String = "a whole number") -> Self {
        SettingBounds("\(unit), \(range.lowerBound) to \(range.upperBound)") { range.contains($0) }
    }
}

extension SettingBounds where Value == Duration {
    /// Returns the bounds of a range of whole seconds.
    package static func range(_ range: ClosedRange<Duration>) -> Self {
        SettingBounds(
            "whole seconds, \(range.lowerBound.components.seconds) to \(range.upperBound.components.seconds)"
        ) { range.contains($0) && $0.components.attoseconds == 0 }
    }
}

extension SettingBounds where Value == [String] {
    /// Returns the bounds of texts that all satisfy a predicate, without duplicates.
    static func each(_ expected: String, _ hold: @escaping @Sendable (String) -> Bool = { _ in true }) -> Self {
        SettingBounds(expected) { Set($0).count == $0.count && $0.allSatisfy(hold) }
    }
}
