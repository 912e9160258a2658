// SPDX-License-Identifier: Apache-2.0

/// Values that are stored under a secret until they expire.
///
/// Expired values are removed when there are twice as many as after the last removal, so memory use follows the number of
/// valid ones.
package struct ExpiringValues<Value: Sendable>: Sendable {
    private var entries: [String: (value: Value, expiry: Int64)] = [:]
    private var sweepCount = 1024

    package init() {}

    /// Stores a value until `expiry`, in seconds since 1970.
    package mutating func insert(_ value: Value, for secret: String, expiry: Int64, now: Int64) {
        if entries.count >= sweepCount {
            entries = entries.filter { $0.value.expiry > now }
            sweepCount = max(1024, 2 * entries.count)
        }
        entries[secret] = (value, expiry)
    }

    /// Returns the value; `nil` if it has expired or does not exist.
    package func value(for secret: String, now: Int64) -> Value? {
        guard let entry = entries[secret], entry.expiry > now else { return nil }
        return entry.value
    }

    /// Removes and returns the value; `nil` if it has expired or does not exist.
    package mutating func take(_ secret: String, now: Int64) -> Value? {
        guard let entry = entries.removeValue(forKey: secret), entry.expiry > now else { return nil }
        return entry.value
    }
}
