// SPDX-License-Identifier: Apache-2.0

#if Server
    import OpenIDRelyingParty

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// A time on the command line.
    enum ExplainedTime {
        /// Reads seconds since 1970, or a date and time with zone such as `2026-01-31T12:00:00Z` (RFC 3339); `nil` if the
        /// text is neither, or is before 1970 or after the year 9999.
        static func seconds(_ text: String) -> Int64? {
            let bounds = RelyingParty.explainableTimes
            guard text.utf8.count <= 64 else { return nil }
            if let seconds = Int64(text) { return bounds.contains(seconds) ? seconds : nil }
            guard let date = try? Date(text, strategy: .iso8601) else { return nil }
            let seconds = date.timeIntervalSince1970
            guard seconds >= Double(bounds.lowerBound), seconds <= Double(bounds.upperBound) else { return nil }
            return Int64(seconds)
        }
    }
#endif
