// SPDX-License-Identifier: Apache-2.0

/// A parser of HTTP/1.1 messages in a stream of bytes, for both ends of the load generator's connections.
///
/// It is as cheap as possible, so that the generator does not dominate the measurement: only requested fields become
/// strings. It is not a general implementation: trailers are skipped, and obsolete folding is not supported.
package struct HTTP1MessageReader: Sendable {
    /// The kind of messages.
    package enum Kind: Sendable {
        /// Requests: without a length there is no body.
        case requests
        /// Responses: without a length the body ends with the connection. Interim responses (1xx) are skipped.
        case responses
    }

    /// The maximum length of a head, in bytes.
    package static let longestHead = 65_536
    /// The maximum length of a body, in bytes.
    package static let longestBody = 16_777_216

    private let kind: Kind
    private let wanted: [[UInt8]]
    private var buffer: [UInt8] = []
    private var position = 0

    /// - Parameters:
    ///   - kind: The kind of messages.
    ///   - fields: The names of the fields that are kept, in lower case.
    package init(_ kind: Kind, keeping fields: [String]) {
        self.kind = kind
        wanted = fields.map { Array($0.utf8) }
    }

    /// Whether an incomplete message is buffered.
    package var isInsideMessage: Bool { position < buffer.count }

    /// Appends received bytes.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) { buffer.append(contentsOf: bytes) }

    /// Appends received bytes.
    package mutating func append(_ bytes: [UInt8]) { buffer.append(contentsOf: bytes) }

    /// Returns the next complete message; `nil` if more bytes are needed.
    ///
    /// - Throws: ``HTTP1MessageError``, after which the reader must not be used.
    package mutating func next() throws -> HTTP1Message? {
        while true {
            guard let head = try nextHead() else { return nil }
            if kind == .responses, (100..<200).contains(head.message.status), head.message.status != 101 {
                position = head.end
                continue
            }
            guard let content = try content(after: head) else { return nil }
            var message = head.message
            message.body = content.bytes
            advance(to: content.end)
            return message
        }
    }

    /// Handles the end of the connection.
    ///
    /// - Returns: A response whose body ends with the connection; `nil` if nothing was received.
    /// - Throws: ``HTTP1MessageError/cutOff`` within any other message.
    package mutating func finish() throws -> HTTP1Message? {
        guard isInsideMessage else { return nil }
        guard kind == .responses, let head = try nextHead(), case .untilClose = head.framing else {
            throw HTTP1MessageError.cutOff
        }
        var message = head.message
        message.body = Array(buffer[head.end...])
        message.isLast = true
        advance(to: buffer.count)
        return message
    }

    // MARK: Head

    private enum Framing {
        case none
        case length(Int)
        case chunked
        case untilClose
    }

    private struct Head {
        var message: HTTP1Message
        var framing: Framing
        /// The first byte of the body.
        var end: Int
    }

    private func nextHead() throws -> Head? {
        let start = position
        let end = buffer.count
        guard start < end else { return nil }
        let head = try buffer.withUnsafeBufferPointer { bytes in try readHead(bytes, start, end) }
        if head == nil, end - start > Self.longestHead { throw HTTP1MessageError.tooLong }
        return head
    }

    private func readHead(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) throws -> Head? {
        var lineStart = start
        var startLine: String?
        var fields: [HTTP1Message.Field] = []
        var length: Int?
        var isChunked = false
        var isClosing: Bool?
        while true {
            var lineEnd = lineStart
            while lineEnd < end, bytes[lineEnd] != 0x0A { lineEnd += 1 }
            guard lineEnd < end else {
                // A line that cannot become a status line is refused before it is complete, because it might never end.
                if startLine == nil { try checkVersion(bytes, lineStart, end) }
                return nil
            }
            let next = lineEnd + 1
            if lineEnd > lineStart, bytes[lineEnd - 1] == 0x0D { lineEnd -= 1 }
            guard lineEnd > lineStart else {
                guard let startLine else {
                    // An empty line before a request is skipped (RFC 9112 section 2.2).
                    lineStart = next
                    continue
                }
                // An HTTP/1.0 connection ends after each message unless both sides announce otherwise (RFC 9112 section
                // 9.3).
                let isOld = startLine.utf8.starts(with: "HTTP/1.0".utf8) || startLine.utf8.ends(with: "HTTP/1.0".utf8)
                let message = HTTP1Message(
                    startLine: startLine, status: kind == .responses ? HTTP1Message.status(in: startLine) : 0,
                    fields: fields, body: [], isLast: isClosing ?? isOld)
                return Head(
                    message: message, framing: framing(message.status, length: length, isChunked: isChunked), end: next)
            }
            if startLine == nil {
                try checkVersion(bytes, lineStart, lineEnd)
                let line = Self.text(bytes, lineStart, lineEnd)
                guard kind == .requests || (100..<1000).contains(HTTP1Message.status(in: line)) else {
                    throw HTTP1MessageError.malformedStatusLine
                }
                startLine = line
            } else if let colon = Self.colon(bytes, lineStart, lineEnd) {
                let (from, to) = Self.trimmed(bytes, colon + 1, lineEnd)
                if Self.isName(bytes, lineStart, colon, Self.contentLength) {
                    guard let value = Int(Self.text(bytes, from, to)), value >= 0 else {
                        throw HTTP1MessageError.malformedLength
                    }
                    guard value <= Self.longestBody else { throw HTTP1MessageError.tooLong }
                    length = value
                } else if Self.isName(bytes, lineStart, colon, Self.transferEncoding) {
                    isChunked = Self.text(bytes, from, to).lowercased().hasSuffix("chunked")
                } else if Self.isName(bytes, lineStart, colon, Self.connection) {
                    isClosing = Self.text(bytes, from, to).lowercased().contains("close")
                }
                for name in wanted where Self.isName(bytes, lineStart, colon, name) {
                    fields.append(
                        HTTP1Message.Field(
                            name: String(decoding: name, as: UTF8.self), value: Self.text(bytes, from, to)))
                }
            }
            lineStart = next
        }
    }

    /// Checks that a response begins with its version (RFC 9112 section 4), as far as it was received.
    private func checkVersion(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) throws {
        guard kind == .responses else { return }
        for (byte, wanted) in zip(bytes[start..<end], Self.version) {
            // A line that so far consists only of a line break is an empty one.
            guard byte == wanted || (byte == 0x0D && end - start == 1) else {
                throw HTTP1MessageError.malformedStatusLine
            }
        }
    }

    private func framing(_ status: Int, length: Int?, isChunked: Bool) -> Framing {
        if status == 204 || status == 304 { return .none }
        if isChunked { return .chunked }
        if let length { return length == 0 ? .none : .length(length) }
        return kind == .requests ? .none : .untilClose
    }

    // MARK: Body

    /// The body of a message and the position after it.
    private struct Content {
        var bytes: [UInt8]
        var end: Int
    }

    private func content(after head: Head) throws -> Content? {
        switch head.framing {
        case .none:
            return Content(bytes: [], end: head.end)
        case .length(let length):
            guard buffer.count - head.end >= length else { return nil }
            return Content(bytes: Array(buffer[head.end..<(head.end + length)]), end: head.end + length)
        case .chunked:
            return try chunks(from: head.end)
        case .untilClose:
            guard buffer.count - head.end <= Self.longestBody else { throw HTTP1MessageError.tooLong }
            return nil
        }
    }

    private func chunks(from start: Int) throws -> Content? {
        var body: [UInt8] = []
        var cursor = start
        while true {
            guard let lineEnd = buffer[cursor...].firstIndex(of: 0x0A) else { return nil }
            let line = buffer[cursor..<lineEnd].prefix { $0 != 0x3B && $0 != 0x0D && $0 != 0x20 }
            guard !line.isEmpty, line.count <= 8, let size = Int(String(decoding: line, as: UTF8.self), radix: 16),
                size >= 0
            else { throw HTTP1MessageError.malformedChunk }
            cursor = lineEnd + 1
            if size == 0 {
                guard let end = try endOfTrailers(from: cursor) else { return nil }
                return Content(bytes: body, end: end)
            }
            guard body.count + size <= Self.longestBody else { throw HTTP1MessageError.tooLong }
            guard buffer.count - cursor >= size + 2 else { return nil }
            body.append(contentsOf: buffer[cursor..<(cursor + size)])
            guard buffer[cursor + size] == 0x0D, buffer[cursor + size + 1] == 0x0A else {
                throw HTTP1MessageError.malformedChunk
            }
            cursor += size + 2
        }
    }

    /// The first byte after the empty line that ends the trailers.
    private func endOfTrailers(from start: Int) throws -> Int? {
        var cursor = start
        while let lineEnd = buffer[cursor...].firstIndex(of: 0x0A) {
            let line = buffer[cursor..<lineEnd]
            cursor = lineEnd + 1
            if line.isEmpty || line.elementsEqual([0x0D]) { return cursor }
        }
        guard buffer.count - start <= Self.longestHead else { throw HTTP1MessageError.tooLong }
        return nil
    }

    private mutating func advance(to end: Int) {
        if end == buffer.count {
            buffer.removeAll(keepingCapacity: true)
            position = 0
        } else {
            position = end
        }
    }

    // MARK: Bytes

    private static let version = Array("HTTP/1.".utf8)
    private static let contentLength = Array("content-length".utf8)
    private static let transferEncoding = Array("transfer-encoding".utf8)
    private static let connection = Array("connection".utf8)

    private static func text(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
    }

    private static func colon(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
        var cursor = start
        while cursor < end {
            if bytes[cursor] == 0x3A { return cursor }
            cursor += 1
        }
        return nil
    }

    private static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> (Int, Int) {
        var (start, end) = (start, end)
        while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
        while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        return (start, end)
    }

    /// Whether the bytes are the given name, which is in lower case.
    private static func isName(
        _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int, _ name: [UInt8]
    ) -> Bool {
        guard end - start == name.count else { return false }
        for offset in 0..<name.count {
            let byte = bytes[start + offset]
            let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            guard lower == name[offset] else { return false }
        }
        return true
    }
}
