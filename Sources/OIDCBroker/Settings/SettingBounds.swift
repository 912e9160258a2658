// SPDX-License-Identifier: Apache-2.0

/// What values a key accepts.
package struct SettingBounds<Value: Sendable>: Sendable {
    /// The bounds in words; completes the sentence "expected …".
    package let expected: String
    /// Whether a value is within the bounds.
    package let hold: @Sendable (Value) -> Bool

    /// Bounds in words and as a predicate.
    package init(_ expected: String, _ hold: @escaping @Sendable (Value) -> Bool) {
        self.expected = expected
        self.hold = hold
    }
}

extension SettingBounds where Value == Int {
    /// The numbers of a range.
    package static func range(_ range: ClosedRange<Int>, _ unit: String = "a whole number") -> Self {
        SettingBounds("\(unit), \(range.lowerBound) to \(range.upperBound)") { range.contains($0) }
    }
}

extension SettingBounds where Value == Duration {
    /// The whole seconds of a range.
    package static func range(_ range: ClosedRange<Duration>) -> Self {
        SettingBounds(
            "whole seconds, \(range.lowerBound.components.seconds) to \(range.upperBound.components.seconds)"
        ) { range.contains($0) && $0.components.attoseconds == 0 }
    }
}

extension SettingBounds where Value == [String] {
    /// Texts that all hold to a rule, each given once.
    static func each(_ expected: String, _ hold: @escaping @Sendable (String) -> Bool = { _ in true }) -> Self {
        SettingBounds(expected) { Set($0).count == $0.count && $0.allSatisfy(hold) }
    }
}
