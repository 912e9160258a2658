// SPDX-License-Identifier: Apache-2.0

/// Values that are found by a secret until they expire.
///
/// Expired ones are swept out when the number has doubled since the last sweep: memory follows what is alive.
struct ExpiringValues<Value: Sendable>: Sendable {
    private var entries: [String: (value: Value, expiry: Int64)] = [:]
    private var sweepCount = 1024

    /// Keeps a value until `expiry`, in seconds since 1970.
    mutating func insert(_ value: Value, for secret: String, expiry: Int64, now: Int64) {
        if entries.count >= sweepCount {
            entries = entries.filter { $0.value.expiry > now }
            sweepCount = max(1024, 2 * entries.count)
        }
        entries[secret] = (value, expiry)
    }

    /// The value, if it has not expired.
    func value(for secret: String, now: Int64) -> Value? {
        guard let entry = entries[secret], entry.expiry > now else { return nil }
        return entry.value
    }

    /// The value, if it has not expired, and never again.
    mutating func take(_ secret: String, now: Int64) -> Value? {
        guard let entry = entries.removeValue(forKey: secret), entry.expiry > now else { return nil }
        return entry.value
    }
}
