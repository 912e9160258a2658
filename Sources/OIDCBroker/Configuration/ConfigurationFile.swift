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

/// Reads the files that a configuration names.
package enum ConfigurationFile {
    /// The size beyond which a file is not one of ours: 1 MiB.
    package static let maximumBytes = 1 << 20

    /// The contents of a file; `nil` if it is not there, cannot be read, is not a file, or is too long.
    package static func contents(atPath path: String) -> [UInt8]? {
        guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= maximumBytes else { return nil }
        return Array(data)
    }

    /// What is wrong with who may read or write a file that holds a secret; `nil` if nothing is, or there is no such file.
    ///
    /// Its owner may do anything and its group may read it, which is how secrets come into containers; a symbolic link
    /// stands for what it leads to.
    package static func exposure(ofSecretFileAtPath path: String, key: String) -> ConfigurationError? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o027 != 0 else { return nil }
        let mode = String(status.st_mode & 0o777, radix: 8)
        return ConfigurationError(
            key: key, expected: "a file that others can neither read nor write; '\(path)' has the mode \(mode)")
    }
}
