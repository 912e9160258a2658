// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// What is counted and measured of a store outside of this process.
package struct SharedStoreMetrics: Sendable {
    /// Counts an operation that ended.
    let operation: @Sendable (_ operation: String, _ outcome: String) -> Void
    /// Counts a try after the first one.
    let retry: @Sendable (_ operation: String) -> Void
    /// Counts an operation that fewer standbys than required confirmed in the end.
    let unconfirmed: @Sendable (_ operation: String) -> Void
    /// Records the time of an operation with all its tries.
    let duration: @Sendable (_ operation: String, _ duration: TimeAmount) -> Void

    /// Creates the metrics of a store from what counts and measures.
    package init(
        operation: @escaping @Sendable (_ operation: String, _ outcome: String) -> Void,
        retry: @escaping @Sendable (_ operation: String) -> Void,
        unconfirmed: @escaping @Sendable (_ operation: String) -> Void,
        duration: @escaping @Sendable (_ operation: String, _ duration: TimeAmount) -> Void
    ) {
        (self.operation, self.retry, self.unconfirmed, self.duration) = (operation, retry, unconfirmed, duration)
    }
}
