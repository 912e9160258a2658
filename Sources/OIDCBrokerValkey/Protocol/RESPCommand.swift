// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// A command as RESP2 has it: a list of bulk strings.
struct RESPCommand: Sendable, Hashable {
    /// One of the strings.
    enum Argument: Sendable, Hashable, ExpressibleByStringLiteral {
        case text(String)
        case bytes([UInt8])

        init(stringLiteral value: String) {
            self = .text(value)
        }

        /// A decimal number.
        static func number(_ number: Int64) -> Argument { .text(String(number)) }

        fileprivate var count: Int {
            switch self {
            case .text(let text): text.utf8.count
            case .bytes(let bytes): bytes.count
            }
        }
    }

    /// The name of the command and what follows it.
    let arguments: [Argument]
    /// How many bytes the command is when it is written.
    let byteCount: Int

    init(_ arguments: Argument...) {
        self.arguments = arguments
        var byteCount = Self.headLength(arguments.count)
        for argument in arguments {
            let count = argument.count
            byteCount += Self.headLength(count) + count + 2
        }
        self.byteCount = byteCount
    }

    /// Appends the command to a buffer.
    func write(into buffer: inout ByteBuffer) {
        buffer.reserveCapacity(minimumWritableBytes: byteCount)
        buffer.writeStaticString("*")
        buffer.writeString(String(arguments.count))
        buffer.writeStaticString("\r\n")
        for argument in arguments {
            buffer.writeStaticString("$")
            buffer.writeString(String(argument.count))
            buffer.writeStaticString("\r\n")
            switch argument {
            case .text(let text): buffer.writeString(text)
            case .bytes(let bytes): buffer.writeBytes(bytes)
            }
            buffer.writeStaticString("\r\n")
        }
    }

    /// The length of a type, a count and the end of their line.
    private static func headLength(_ count: Int) -> Int {
        var digits = 1
        var rest = count / 10
        while rest > 0 {
            digits += 1
            rest /= 10
        }
        return digits + 3
    }
}
