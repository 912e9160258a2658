// SPDX-License-Identifier: Apache-2.0

import Logging
import OIDCBroker

/// What the lines about requests of one logger have in common, with which such a line is written in one go.
final class RequestLineTemplate: Sendable {
    /// The members behind the start, in their order, and whether JSON has them in quotes.
    private static let members: [(name: StaticString, isText: Bool)] = [
        ("address", true), (AccessLine.outcomeName, true), (AccessLine.referenceName, true), ("bytes", false),
        ("method", true), ("milliseconds", false), ("path", true), ("status", false), ("version", true),
    ]

    /// What stands behind the time, before each member's value, and behind the last one, one behind the other.
    private let pieces: [UInt8]
    private let ends: [Int]
    private let begin: [UInt8]
    private let format: LogFormat
    private let label: String

    /// - Parameter label: The label of the logger.
    init(_ format: LogFormat, label: String) {
        self.format = format
        self.label = label
        var (pieces, ends) = ([UInt8](), [Int]())
        func end(_ text: String) {
            pieces += text.utf8
            ends.append(pieces.count)
        }
        begin = format == .json ? Array("{\"time\":\"".utf8) : []
        if format == .json { pieces.append(UInt8(ascii: "\"")) }
        pieces += LogLine.start(format, level: .info, logger: label, message: AccessLine.message.description)
        var isText = false
        for member in Self.members {
            switch format {
            case .json:
                end((isText ? "\"" : "") + ",\"\(member.name)\":" + (member.isText ? "\"" : ""))
            case .text:
                end(" \(member.name)=")
            }
            isText = member.isText
        }
        end(format == .json ? "\"}\n" : "\n")
        (self.pieces, self.ends) = (pieces, ends)
    }

    /// Appends a line behind others.
    func append(_ line: AccessLine, _ time: LogTime, to lines: inout [UInt8]) {
        guard !appendAtOnce(line, time, to: &lines) else { return }
        var other = LogLine(
            format, time: time, level: .info, logger: label, message: AccessLine.message.description)
        other.append(line.metadata)
        lines += other.end()
    }

    private func appendAtOnce(_ line: AccessLine, _ time: LogTime, to lines: inout [UInt8]) -> Bool {
        FixedText.append(to: &lines) { text in
            text.append(begin[...])
            text.append(time)
            append(0, line.addressText, to: &text)
            if let outcome = line.outcome { append(1, outcome, to: &text) }
            if let reference = line.reference { append(2, reference, to: &text) }
            append(3, line.bytes, to: &text)
            append(4, line.method.rawValue, to: &text)
            appendPiece(5, to: &text)
            text.append(thousandths: line.microseconds)
            append(6, line.path, to: &text)
            append(7, line.status, to: &text)
            append(8, line.version.rawValue, to: &text)
            appendPiece(9, to: &text)
        }
    }

    private func append(_ piece: Int, _ value: String, to text: inout FixedText) {
        appendPiece(piece, to: &text)
        text.append(value)
    }

    private func append(_ piece: Int, _ value: Int, to text: inout FixedText) {
        appendPiece(piece, to: &text)
        text.append(number: value)
    }

    private func appendPiece(_ piece: Int, to text: inout FixedText) {
        text.append(pieces[(piece == 0 ? 0 : ends[piece - 1])..<ends[piece]])
    }
}
