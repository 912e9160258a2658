// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatencyMeasurement

/// Ordinary files, through Foundation.
extension SystemFile {
    /// Returns the bytes of an ordinary file.
    static func bytes(_ path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw LatencyToolError("\(path) cannot be read")
        }
        return Array(data)
    }

    /// Writes a file, and creates its folder.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let folder = URL(filePath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else {
            throw LatencyToolError("\(path) cannot be written")
        }
    }

    /// Whether a file exists.
    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Returns the absolute path without `.` and `..`.
    static func absolute(_ path: String) -> String { URL(filePath: path).standardizedFileURL.path }
}
