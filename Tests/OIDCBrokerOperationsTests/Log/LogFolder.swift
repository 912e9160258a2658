// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A folder of its own for the files of a test, removed when it is not used any more.
final class LogFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/oidc-broker-log-\(UUID().uuidString)"
        try make()
    }

    deinit { remove() }

    /// Makes the folder.
    func make() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// Removes the folder with what is in it.
    func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in it.
    func file(_ name: String) -> String { path + "/" + name }

    /// The text of a file.
    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: file(name))), as: UTF8.self)
    }

    /// Makes a file.
    func write(_ name: String, _ text: String, mode: mode_t = 0o644) throws {
        try Data(text.utf8).write(to: URL(filePath: file(name)))
        chmod(file(name), mode)
    }

    /// The permissions of a file.
    func mode(_ name: String) -> mode_t? {
        var status = stat()
        guard stat(file(name), &status) == 0 else { return nil }
        return status.st_mode & 0o777
    }
}
