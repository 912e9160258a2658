// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A folder in the system's temporary directory that only this user can read.
struct TemporaryFolder: Sendable {
    /// The path.
    let path: String

    /// Makes a new folder.
    ///
    /// - Throws: An error of the file system.
    static func make() throws -> TemporaryFolder {
        let path = FileManager.default.temporaryDirectory.path + "/oidc-broker-demo-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        return TemporaryFolder(path: path)
    }

    /// Removes the folder with everything in it.
    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
