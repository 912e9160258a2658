// SPDX-License-Identifier: Apache-2.0

/// The reason why an operation of a shared store was not tried, or not tried again.
package struct SharedStoreError: Error, Hashable {
    /// The reason, as in metrics.
    let reason: String

    /// Too many operations wait.
    static let tooMany = Self(reason: "too_many")
    /// The store is away.
    static let away = Self(reason: "away")
    /// The store did not answer in time.
    static let timedOut = Self(reason: "timed_out")
    /// Fewer standbys than required have confirmed it, and nothing else would keep it from happening twice.
    static let unconfirmed = Self(reason: "unconfirmed")

    /// Whether the operation was refused before anything of it was sent.
    var isRefusal: Bool { self == .tooMany || self == .away }
}
