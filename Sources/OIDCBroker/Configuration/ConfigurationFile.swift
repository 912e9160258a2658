// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

/// A reader of the files that a configuration names.
package enum ConfigurationFile {
    /// The maximum size of a file: 1 MiB.
    package static let maximumBytes = 1 << 20

    /// Returns the contents of a file; `nil` if it does not exist, cannot be read, is not a regular file, or is too
    /// long.
    package static func contents(atPath path: String) -> [UInt8]? {
        guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= maximumBytes else { return nil }
        return Array(data)
    }

    /// Returns an error if the permissions of a file with a secret are too wide; `nil` if they are not or the file does
    /// not exist.
    ///
    /// The owner may have every permission and the group may read, which is how secrets are mounted into containers. A
    /// symbolic link is followed.
    package static func exposure(ofSecretFileAtPath path: String, key: String) -> ConfigurationError? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o027 != 0 else { return nil }
        let mode = String(status.st_mode & 0o777, radix: 8)
        return ConfigurationError(
            key: key, expected: "a file that others can neither read nor write; '\(path)' has the mode \(mode)")
    }
}
