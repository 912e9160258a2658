// SPDX-License-Identifier: Apache-2.0

/// What the operations of one request are traced under.
package protocol StoreTrace: Sendable {
    /// Begins the span of an operation; `nil` if it would not be recorded.
    /// - Parameter kind: The engine.
    func begin(_ operation: SharedStore.Operation, kind: String) -> StoreSpan?
}
