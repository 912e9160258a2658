// SPDX-License-Identifier: Apache-2.0

/// Lifetimes as the server takes them.
enum ValkeyLifetime {
    /// Ten years, in seconds.
    private static let longest: Int64 = 315_360_000

    /// Returns a lifetime in milliseconds, rounded up, at least 1 and at most ten years.
    static func milliseconds(_ lifetime: Duration) -> Int64 {
        guard lifetime > .zero else { return 1 }
        guard lifetime < .seconds(longest) else { return longest * 1000 }
        let (seconds, attoseconds) = lifetime.components
        let attosecondsInMillisecond: Int64 = 1_000_000_000_000_000
        let whole = attoseconds / attosecondsInMillisecond
        let isRounded = attoseconds % attosecondsInMillisecond > 0
        return seconds * 1000 + whole + (isRounded ? 1 : 0)
    }
}
