// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Files: ordinary ones through Foundation, those of `/proc` by plain reads, since their size is reported as zero.
enum SystemFile {
    /// Returns the text of a file of `/proc`; `nil` if it does not exist.
    static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = chunk.withUnsafeMutableBytes { buffer in read(descriptor, buffer.baseAddress, buffer.count) }
            guard count > 0 else { break }
            bytes.append(contentsOf: chunk[..<count])
        }
        return String(decoding: bytes, as: UTF8.self)
    }

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
