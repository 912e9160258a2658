// SPDX-License-Identifier: Apache-2.0

extension Duration {
    /// Ten years, in seconds.
    private static let longestLifetime: Int64 = 315_360_000

    /// The lifetime of an entry in milliseconds, as engines take it: rounded up, at least 1 and at most ten years.
    package var lifetimeInMilliseconds: Int64 {
        guard self > .zero else { return 1 }
        guard self < .seconds(Self.longestLifetime) else { return Self.longestLifetime * 1000 }
        let (seconds, attoseconds) = components
        let attosecondsInMillisecond: Int64 = 1_000_000_000_000_000
        let whole = attoseconds / attosecondsInMillisecond
        let isRounded = attoseconds % attosecondsInMillisecond > 0
        return seconds * 1000 + whole + (isRounded ? 1 : 0)
    }
}
