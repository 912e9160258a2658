// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What `--json` writes and `compare` reads.
package struct ResultFile: Sendable, Hashable, Codable {
    /// The version of the format.
    package static let currentFormat = 1

    /// The version of the format this one has.
    package var format: Int
    /// Where it was made.
    package var machine: MachineDescription
    /// What was measured.
    package var runs: [MeasuredRun]
    /// What is known of the versions of targets, by their names.
    package var versions: [String: String]?

    /// A result of today's format.
    package init(machine: MachineDescription, runs: [MeasuredRun], versions: [String: String]? = nil) {
        format = Self.currentFormat
        self.machine = machine
        self.runs = runs
        self.versions = versions
    }

    /// Reads a result file.
    ///
    /// - Throws: ``ResultFileError``.
    package init(json: [UInt8]) throws(ResultFileError) {
        let file: ResultFile
        do {
            file = try JSONDecoder().decode(ResultFile.self, from: Data(json))
        } catch {
            throw .malformed
        }
        guard file.format == Self.currentFormat else { throw .otherFormat(file.format) }
        self = file
    }

    /// The file's text, the same for the same result.
    ///
    /// - Throws: an error of the encoder where a figure is not finite.
    package func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        var bytes = Array(try encoder.encode(self))
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}

/// Why a file is no result file.
package enum ResultFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Not the JSON of one.
    case malformed
    /// Written by a version of this tool that kept other figures.
    case otherFormat(Int)

    package var description: String {
        switch self {
        case .malformed: "not a result file of callback-latency"
        case .otherFormat(let format): "a result file of format \(format); this tool reads \(ResultFile.currentFormat)"
        }
    }
}
