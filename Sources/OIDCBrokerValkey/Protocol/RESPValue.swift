// SPDX-License-Identifier: Apache-2.0

/// One value of RESP2, the protocol of Valkey and Redis.
enum RESPValue: Sendable, Hashable {
    /// A status, as `OK`.
    case simple(String)
    /// An error, whose first word is its kind.
    case error(String)
    /// A number.
    case integer(Int64)
    /// Bytes.
    case bulk([UInt8])
    /// Nothing: an absent bulk string or an absent list.
    case null
    /// A list.
    case array([RESPValue])
}
