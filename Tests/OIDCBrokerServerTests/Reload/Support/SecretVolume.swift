// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A directory of secret files as Kubernetes mounts one: links into `..data`, a link that is replaced as a whole.
struct SecretVolume: Sendable {
    /// The path of the directory.
    let path: String

    /// The one that is at a path already.
    init(at path: String) { self.path = path }

    /// Makes one.
    init(in directory: TemporaryDirectory, _ files: [String: String]) throws {
        path = directory.file("volume")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try swap(files)
        for name in files.keys {
            try FileManager.default.createSymbolicLink(
                atPath: path + "/" + name, withDestinationPath: "..data/" + name)
        }
    }

    /// Replaces all files in one step.
    /// - Parameter mode: The permissions of each; Kubernetes' own default is 0644.
    func swap(_ files: [String: String], mode: Int = 0o440) throws {
        let version = "..\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path + "/" + version, withIntermediateDirectories: false)
        for (name, text) in files {
            let file = path + "/" + version + "/" + name
            try Data(text.utf8).write(to: URL(filePath: file))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        }
        let draft = path + "/..data_tmp"
        try FileManager.default.createSymbolicLink(atPath: draft, withDestinationPath: version)
        try #require(rename(draft, path + "/..data") == 0)
    }
}
