// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    /// Values as the binary format of the server has them.
    enum PostgreSQLBytes {
        /// A number of the type `bigint`: 8 bytes, the most significant first.
        static func number(_ number: Int64) -> [UInt8] {
            withUnsafeBytes(of: number.bigEndian) { Array($0) }
        }

        /// The number in 8 bytes; `nil` if there are more or fewer.
        static func number(_ bytes: [UInt8]) -> Int64? {
            guard bytes.count == 8 else { return nil }
            return Int64(bitPattern: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }

        /// A Boolean: one byte.
        static func boolean(_ value: Bool) -> [UInt8] { [value ? 1 : 0] }

        /// A Boolean; `nil` if it is none.
        static func boolean(_ bytes: [UInt8]) -> Bool? {
            switch bytes {
            case [0]: false
            case [1]: true
            default: nil
            }
        }
    }
#endif
