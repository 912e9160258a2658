// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    /// Values as the binary format of the server has them.
    enum PostgreSQLBytes {
        /// Ten years, in seconds.
        private static let longest: Int64 = 315_360_000

        /// A number of the type `bigint`: 8 bytes, the most significant first.
        static func number(_ number: Int64) -> [UInt8] {
            withUnsafeBytes(of: number.bigEndian) { Array($0) }
        }

        /// A Boolean; `nil` if it is none.
        static func boolean(_ bytes: [UInt8]) -> Bool? {
            switch bytes {
            case [0]: false
            case [1]: true
            default: nil
            }
        }

        /// A lifetime in milliseconds, rounded up, at least 1 and at most ten years.
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
#endif
