// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    /// Values as the binary format of the server has them.
    enum PostgreSQLBytes {
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
    }
#endif
