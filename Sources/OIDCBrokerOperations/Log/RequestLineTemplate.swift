// SPDX-License-Identifier: Apache-2.0

import Logging
import OIDCBrokerRecords

/// What the lines about requests of one logger have in common, with which such a line is written in one go.
final class RequestLineTemplate: Sendable, Equatable {
    /// What stands before the value of a member, in the order of the members, and what ends the line.
    private enum Piece: Int, CaseIterable {
        case address, outcome, reference, bytes, method, milliseconds, path, status, version, end

        /// The name of the member; `nil` at the end.
        var name: StaticString? {
            switch self {
            case .address: "address"
            case .outcome: AccessLine.outcomeName
            case .reference: AccessLine.referenceName
            case .bytes: "bytes"
            case .method: "method"
            case .milliseconds: "milliseconds"
            case .path: "path"
            case .status: "status"
            case .version: "version"
            case .end: nil
            }
        }

        /// Whether JSON has the value in quotes.
        var isText: Bool {
            switch self {
            case .bytes, .milliseconds, .status, .end: false
            case .address, .outcome, .reference, .method, .path, .version: true
            }
        }
    }

    /// The bytes of all pieces, one behind the other, the start of the line in the first one; and where each ends.
    private let pieces: [UInt8]
    private let ends: [Int]
    private let begin: [UInt8]
    private let format: LogFormat
    private let label: String

    /// - Parameter label: The label of the logger.
    init(_ format: LogFormat, label: String) {
        self.format = format
        self.label = label
        begin = format == .json ? Array("{\"time\":\"".utf8) : []
        let quote = format == .json ? "\"" : ""
        var pieces = Array(quote.utf8)
        pieces += LogLine.start(format, level: .info, logger: label, message: AccessLine.message.description)
        var ends: [Int] = []
        var endOfValue = ""
        for piece in Piece.allCases {
            pieces += endOfValue.utf8
            switch (piece.name, format) {
            case (let name?, .json): pieces += ",\"\(name)\":\(piece.isText ? quote : "")".utf8
            case (let name?, .text): pieces += " \(name)=".utf8
            case (nil, .json): pieces += "}\n".utf8
            case (nil, .text): pieces += "\n".utf8
            }
            ends.append(pieces.count)
            endOfValue = piece.isText ? quote : ""
        }
        (self.pieces, self.ends) = (pieces, ends)
    }

    /// Whether both are the same one.
    static func == (left: RequestLineTemplate, right: RequestLineTemplate) -> Bool { left === right }

    /// Writes a line.
    /// - Parameter take: Gets the line. The bytes are valid until it returns.
    func write(_ line: AccessLine, _ time: LogTime, to take: (UnsafeBufferPointer<UInt8>) -> Void) {
        guard !writeAtOnce(line, time, to: take) else { return }
        var other = LogLine(
            format, time: time, level: .info, logger: label, message: AccessLine.message.description)
        other.append(line.metadata)
        other.end().withUnsafeBufferPointer(take)
    }

    private func writeAtOnce(
        _ line: AccessLine, _ time: LogTime, to take: (UnsafeBufferPointer<UInt8>) -> Void
    ) -> Bool {
        FixedText.write(
            { text in
                text.append(begin[...])
                text.append(time)
                append(.address, line.addressText, to: &text)
                if let outcome = line.outcome { append(.outcome, outcome, to: &text) }
                if let reference = line.reference { append(.reference, reference, to: &text) }
                append(.bytes, line.bytes, to: &text)
                append(.method, line.method.rawValue, to: &text)
                append(.milliseconds, to: &text)
                text.append(thousandths: line.microseconds)
                append(.path, line.path, to: &text)
                append(.status, line.status, to: &text)
                append(.version, line.version.rawValue, to: &text)
                append(.end, to: &text)
            }, to: take)
    }

    private func append(_ piece: Piece, _ value: String, to text: inout FixedText) {
        append(piece, to: &text)
        text.append(value)
    }

    private func append(_ piece: Piece, _ value: Int, to text: inout FixedText) {
        append(piece, to: &text)
        text.append(number: value)
    }

    private func append(_ piece: Piece, to text: inout FixedText) {
        let number = piece.rawValue
        text.append(pieces[(number == 0 ? 0 : ends[number - 1])..<ends[number]])
    }
}
