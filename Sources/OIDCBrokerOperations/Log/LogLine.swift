// SPDX-License-Identifier: Apache-2.0

import JOSE
package import Logging

/// One line of the log or of the audit while it is written.
///
/// A text is at most ``maximumTextBytes`` long, escaped, and the line at most ``maximumBytes``, whatever is logged. A
/// value that does not fit is left out, and the line says `truncated`.
package struct LogLine: Sendable {
    /// The maximum length of a line with its line feed, in bytes.
    package static let maximumBytes = 16_384
    /// The maximum length of one text, escaped and without its quotes, in bytes.
    package static let maximumTextBytes = 1_024
    /// The maximum depth of dictionaries and arrays within each other. What is deeper is written as `…`.
    static let maximumDepth = 8

    /// The names of the line itself. Metadata with such a name gets a prefix, since the names of an object are unique.
    private static let ownNames: Set = ["time", "level", "message", "logger", "event", "truncated"]
    private static let longestOwnName = 9
    /// The room for what ends a line: in JSON `,"truncated":true}`, in text ` truncated=true`, and a line feed.
    private static let roomForEnd = 20

    private let format: LogFormat
    private var bytes: [UInt8] = []
    private var isTruncated = false

    private init(_ format: LogFormat) {
        self.format = format
        bytes.reserveCapacity(512)
    }

    /// Begins a line of the log. The label of the logger is written in JSON only.
    package init(_ format: LogFormat, time: LogTime, level: Logger.Level, logger label: String, message: String) {
        self.init(format)
        append(time)
        append(level, label, message)
    }

    /// What follows the time in a line of the log, for lines that have it in common.
    static func start(_ format: LogFormat, level: Logger.Level, logger label: String, message: String) -> [UInt8] {
        var line = LogLine(format)
        line.append(level, label, message)
        return line.bytes
    }

    /// Begins a line of the audit, in JSON.
    package init(event: String, time: LogTime) {
        self.init(.json)
        append(time)
        append(ownName: "event")
        append(quoted: event)
    }

    /// Appends metadata, in the order of the bytes of its names.
    package mutating func append(_ metadata: Logger.Metadata) {
        for (name, value) in Self.sorted(metadata) {
            let start = bytes.count
            append(name: name)
            append(value, depth: 0)
            if bytes.count + Self.roomForEnd > Self.maximumBytes {
                bytes.removeLast(bytes.count - start)
                isTruncated = true
            }
        }
    }

    /// Ends the line, once, and returns its bytes with a line feed.
    package mutating func end() -> [UInt8] {
        if isTruncated {
            append(ownName: "truncated")
            bytes.append(contentsOf: "true".utf8)
        }
        if format == .json { bytes.append(UInt8(ascii: "}")) }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    private mutating func append(_ time: LogTime) {
        if format == .json { append("{\"time\":\"") }
        time.append(to: &bytes)
        if format == .json { bytes.append(UInt8(ascii: "\"")) }
    }

    private mutating func append(_ level: Logger.Level, _ label: String, _ message: String) {
        switch format {
        case .json:
            append(ownName: "level")
            append(quoted: level.rawValue)
            append(ownName: "message")
            append(quoted: message)
            append(ownName: "logger")
            append(quoted: label)
        case .text:
            bytes.append(UInt8(ascii: " "))
            bytes.append(contentsOf: level.rawValue.utf8)
            bytes.append(UInt8(ascii: " "))
            if Self.standsUnquoted(message: message) {
                bytes.append(contentsOf: message.utf8)
            } else {
                append(quoted: message)
            }
        }
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Appends the name of a member, which is one of the program's and is written as it is.
    private mutating func append(ownName name: StaticString) {
        switch format {
        case .json:
            append(",\"")
            append(name)
            append("\":")
        case .text:
            append(" ")
            append(name)
            append("=")
        }
    }

    /// Appends the name of a member of metadata.
    private mutating func append(name: String) {
        let isTaken = name.utf8.count <= Self.longestOwnName && Self.ownNames.contains(name)
        let written = isTaken ? "metadata." + name : name
        switch format {
        case .json:
            bytes.append(UInt8(ascii: ","))
            append(quoted: written)
            bytes.append(UInt8(ascii: ":"))
        case .text:
            bytes.append(UInt8(ascii: " "))
            append(token: written)
            bytes.append(UInt8(ascii: "="))
        }
    }

    private mutating func append(_ value: Logger.MetadataValue, depth: Int) {
        // The line is too long already, and what is appended now is removed again.
        guard bytes.count < Self.maximumBytes else { return }
        switch value {
        case .string(let text):
            append(text, depth: depth)
        case .stringConvertible(let value):
            if let number = Self.literal(value) {
                bytes.append(contentsOf: number.utf8)
            } else {
                append(value.description, depth: depth)
            }
        case .array, .dictionary:
            guard depth < Self.maximumDepth else { return append(quoted: "…") }
            append(nested: value, depth: depth + 1)
        }
    }

    private mutating func append(nested value: Logger.MetadataValue, depth: Int) {
        switch value {
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (position, element) in elements.enumerated() where bytes.count < Self.maximumBytes {
                if position > 0 { bytes.append(UInt8(ascii: ",")) }
                append(element, depth: depth)
            }
            bytes.append(UInt8(ascii: "]"))
        case .dictionary(let members):
            bytes.append(UInt8(ascii: "{"))
            for (position, member) in Self.sorted(members).enumerated() where bytes.count < Self.maximumBytes {
                if position > 0 { bytes.append(UInt8(ascii: ",")) }
                append(quoted: member.key)
                bytes.append(UInt8(ascii: ":"))
                append(member.value, depth: depth)
            }
            bytes.append(UInt8(ascii: "}"))
        case .string, .stringConvertible:
            append(value, depth: depth)
        }
    }

    private mutating func append(_ text: String, depth: Int) {
        if format == .text, depth == 0 {
            append(token: text)
        } else {
            append(quoted: text)
        }
    }

    private mutating func append(token text: String) {
        if text.utf8.withContiguousBytes({ EscapedText.standsUnquoted($0) }) {
            bytes.append(contentsOf: text.utf8)
        } else {
            append(quoted: text)
        }
    }

    private mutating func append(quoted text: String) {
        bytes.append(UInt8(ascii: "\""))
        EscapedText.append(text, to: &bytes, atMost: Self.maximumTextBytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether a message can stand in a line of text without quotes, and no part of it is mistaken there for a name with a
    /// value. Unlike other texts it may have spaces and brackets.
    private static func standsUnquoted(message: String) -> Bool {
        guard !message.utf8.isEmpty, message.utf8.count <= maximumTextBytes else { return false }
        return message.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "="): false
            default: (0x20...0x7E).contains(byte)
            }
        }
    }

    /// A number or a Boolean value as JSON writes it; `nil` for anything else.
    private static func literal(_ value: any CustomStringConvertible & Sendable) -> String? {
        switch value {
        case let number as Int: number.description
        case let number as Int64: number.description
        case let number as Double: number.isFinite ? number.description : nil
        case let value as Bool: value.description
        default: nil
        }
    }

    /// By bytes, because comparing hostile strings is slow.
    private static func sorted(_ metadata: Logger.Metadata) -> [(key: String, value: Logger.MetadataValue)] {
        guard metadata.count > 1 else { return Array(metadata) }
        return metadata.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}
