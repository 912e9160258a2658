// SPDX-License-Identifier: Apache-2.0

/// A detail of an error that is shown but does not take part in comparisons, so that `error == .tooDeep` holds wherever
/// the error occurred.
package struct Uncompared<Value: Sendable>: Sendable, Hashable {
    package var value: Value

    package init(_ value: Value) {
        self.value = value
    }

    package static func == (left: Self, right: Self) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
}
