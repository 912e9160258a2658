// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Times for an operator.
enum UTCTime {
    /// Returns a time as ISO 8601 in UTC, such as `2026-11-25T14:43:04Z`.
    /// - Parameter seconds: The time in seconds since 1970, before the year 10,000.
    static func text(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}
