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
        // In one piece: a command has some twenty parts, and a buffer takes each of them after several checks.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        bytes.append(UInt8(ascii: "*"))
        bytes += String(arguments.count).utf8
        for argument in arguments {
            bytes += Self.endAndBulk
            bytes += String(argument.count).utf8
            bytes += Self.end
            switch argument {
            case .text(let text): bytes += text.utf8
            case .bytes(let other): bytes += other
            }
        }
        bytes += Self.end
        buffer.writeBytes(bytes)
    }

    private static let end = Array("\r\n".utf8)
    private static let endAndBulk = Array("\r\n$".utf8)

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
