// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The content of a result file, which `--json` writes and `compare` reads.
package struct ResultFile: Sendable, Hashable, Codable {
    /// The current version of the format.
    package static let currentFormat = 1

    /// The version of the format of this result.
    package var format: Int
    /// The machine on which it was made.
    package var machine: MachineDescription
    /// The measurements.
    package var runs: [MeasuredRun]
    /// The known versions of targets, by name.
    package var versions: [String: String]?

    /// Creates a result in the current format.
    package init(machine: MachineDescription, runs: [MeasuredRun], versions: [String: String]? = nil) {
        format = Self.currentFormat
        self.machine = machine
        self.runs = runs
        self.versions = versions
    }

    /// Parses a result file.
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

    /// Returns the text of the file, which is the same for the same result.
    ///
    /// - Throws: An error of the encoder if a figure is not finite.
    package func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        var bytes = Array(try encoder.encode(self))
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}

/// The reason why a file is not a valid result file.
package enum ResultFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file is not the JSON of a result.
    case malformed
    /// The file was written by a version of this tool with another format.
    case otherFormat(Int)

    package var description: String {
        switch self {
        case .malformed: "not a result file of callback-latency"
        case .otherFormat(let format): "a result file of format \(format); this tool reads \(ResultFile.currentFormat)"
        }
    }
}
