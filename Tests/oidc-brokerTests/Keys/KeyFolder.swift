// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder for the files of one test.
struct KeyFolder {
    let path: String

    /// Runs a body with a folder of its own, which is removed afterwards.
    static func use(_ body: (KeyFolder) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "oidc-broker-keys-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        try body(KeyFolder(path: url.path))
    }

    func file(_ name: String) -> String { path + "/" + name }

    func text(_ name: String) throws -> String { try String(contentsOfFile: file(name), encoding: .utf8) }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try text.write(toFile: file(name), atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file(name))
        return file(name)
    }

    func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file(name))[.posixPermissions] as? Int
    }

    /// The lines of a file with keys that are secret.
    func secrets(_ name: String) throws -> [String] {
        try text(name).split(separator: "\n").map(String.init).filter { !$0.hasPrefix("-----") }
    }
}
