// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Reads values of RESP2 from bytes that arrive in pieces.
///
/// It remembers how far it has read an incomplete value, so that the work grows with the bytes and not with the pieces.
/// Each call must therefore get the same buffer, to which bytes were only appended, until it returned a value.
struct RESPDecoder: Sendable {
    /// The maximum length of a line, without its type and its end.
    static let longestLine = 1024
    /// The maximum length of a bulk string.
    static let longestBulk = 1_048_576
    /// The maximum number of elements of one list.
    static let longestList = 16_384
    /// The maximum number of lists around a value.
    static let maximumDepth = 3
    /// The maximum length of a whole value, with all that is in it.
    static let longestValue = 4_194_304

    private static let carriageReturn = UInt8(ascii: "\r")
    private static let lineFeed = UInt8(ascii: "\n")

    private enum Kind: UInt8 {
        case simple = 0x2B
        case error = 0x2D
        case integer = 0x3A
        case bulk = 0x24
        case array = 0x2A
    }

    /// What was read: a value, or the head of a list whose elements follow.
    private enum Element {
        case value(RESPValue)
        case list(count: Int)
    }

    /// A list with missing elements.
    private struct List: Sendable {
        var missing: Int
        var values: [RESPValue] = []
    }

    /// How many bytes of the incomplete value were read, from the buffer's reader index on.
    private var offset = 0
    /// How many bytes of the line at the offset hold no end of a line.
    private var searched = 0
    /// The lists around the offset, the outermost first.
    private var lists: [List] = []
    private var failure: RESPError?

    /// Returns the next value and consumes its bytes; `nil` if more bytes are needed, and then consumes nothing.
    /// - Throws: An error after which nothing can be read any more; every later call throws it again.
    mutating func next(_ buffer: inout ByteBuffer) throws(RESPError) -> RESPValue? {
        if let failure { throw failure }
        do throws(RESPError) {
            while let read = try element(of: buffer) {
                guard let value = finish(read) else { continue }
                buffer.moveReaderIndex(forwardBy: offset)
                offset = 0
                return value
            }
            return nil
        } catch {
            failure = error
            throw error
        }
    }

    /// Puts an element in the list that it belongs to.
    /// - Returns: The whole value, if the element completes it.
    private mutating func finish(_ element: Element) -> RESPValue? {
        var value: RESPValue
        switch element {
        case .list(let count) where count > 0:
            lists.append(List(missing: count))
            return nil
        case .list: value = .array([])
        case .value(let complete): value = complete
        }
        while var list = lists.popLast() {
            list.values.append(value)
            list.missing -= 1
            guard list.missing == 0 else {
                lists.append(list)
                return nil
            }
            value = .array(list.values)
        }
        return value
    }

    private mutating func element(of buffer: ByteBuffer) throws(RESPError) -> Element? {
        guard let type = buffer.getInteger(at: buffer.readerIndex + offset, as: UInt8.self) else { return nil }
        guard let kind = Kind(rawValue: type) else { throw RESPError.unknownType }
        guard let length = try lineLength(in: buffer),
            let line = buffer.viewBytes(at: buffer.readerIndex + offset + 1, length: length)
        else { return nil }
        let end = offset + 1 + length + 2
        switch kind {
        case .simple:
            try advance(to: end)
            return .value(.simple(String(decoding: line, as: UTF8.self)))
        case .error:
            try advance(to: end)
            return .value(.error(String(decoding: line, as: UTF8.self)))
        case .integer:
            guard let number = RESPNumber.integer(line) else { throw RESPError.malformedInteger }
            try advance(to: end)
            return .value(.integer(number))
        case .bulk:
            return try bulk(line, from: end, in: buffer)
        case .array:
            guard let count = try number(line, limit: Self.longestList, beyond: .listTooLong) else {
                try advance(to: end)
                return .value(.null)
            }
            guard lists.count < Self.maximumDepth else { throw RESPError.tooDeep }
            try advance(to: end)
            return .list(count: count)
        }
    }

    private mutating func bulk(
        _ line: ByteBufferView, from start: Int, in buffer: ByteBuffer
    ) throws(RESPError) -> Element? {
        guard let count = try number(line, limit: Self.longestBulk, beyond: .bulkTooLong) else {
            try advance(to: start)
            return .value(.null)
        }
        let end = start + count + 2
        guard end <= Self.longestValue else { throw RESPError.valueTooLong }
        let index = buffer.readerIndex + start
        guard buffer.readableBytes >= end, let bytes = buffer.getBytes(at: index, length: count) else { return nil }
        guard buffer.getInteger(at: index + count, as: UInt8.self) == Self.carriageReturn,
            buffer.getInteger(at: index + count + 1, as: UInt8.self) == Self.lineFeed
        else { throw RESPError.missingLineEnd }
        try advance(to: end)
        return .value(.bulk(bytes))
    }

    /// Reads how much follows; `nil` if that is nothing at all, not even something empty.
    private func number(
        _ line: ByteBufferView, limit: Int, beyond error: RESPError
    ) throws(RESPError) -> Int? {
        guard let number = RESPNumber.integer(line), number >= -1 else { throw RESPError.malformedLength }
        guard number >= 0 else { return nil }
        guard number <= Int64(limit) else { throw error }
        return Int(number)
    }

    /// Returns the length of the line at the offset, without type and end; `nil` if its end has not arrived.
    private mutating func lineLength(in buffer: ByteBuffer) throws(RESPError) -> Int? {
        let rest = buffer.readableBytesView.dropFirst(offset + 1 + searched)
        guard let index = rest.firstIndex(where: { $0 == Self.carriageReturn || $0 == Self.lineFeed }) else {
            searched += rest.count
            guard searched <= Self.longestLine else { throw RESPError.lineTooLong }
            return nil
        }
        searched += index - rest.startIndex
        guard searched <= Self.longestLine else { throw RESPError.lineTooLong }
        guard rest[index] == Self.carriageReturn else { throw RESPError.missingLineEnd }
        guard let following = buffer.getInteger(at: index + 1, as: UInt8.self) else { return nil }
        guard following == Self.lineFeed else { throw RESPError.missingLineEnd }
        return searched
    }

    private mutating func advance(to end: Int) throws(RESPError) {
        guard end <= Self.longestValue else { throw RESPError.valueTooLong }
        offset = end
        searched = 0
    }
}
