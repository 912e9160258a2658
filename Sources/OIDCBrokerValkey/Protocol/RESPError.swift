// SPDX-License-Identifier: Apache-2.0

/// Why bytes are not RESP2, or more of it than is read here.
enum RESPError: Error, Hashable {
    /// A value begins with a byte that is no type.
    case unknownType
    /// A line is longer than ``RESPDecoder/longestLine``.
    case lineTooLong
    /// A bulk string is longer than ``RESPDecoder/longestBulk``.
    case bulkTooLong
    /// A list has more elements than ``RESPDecoder/longestList``.
    case listTooLong
    /// Lists are nested deeper than ``RESPDecoder/maximumDepth``.
    case tooDeep
    /// A whole value is longer than ``RESPDecoder/longestValue``.
    case valueTooLong
    /// A length is no number, or one that no length can be.
    case malformedLength
    /// An integer is no number of 64 bits.
    case malformedInteger
    /// CR and LF are not where a line or a bulk string ends.
    case missingLineEnd
}
