// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads the files that a configuration names.
package enum ConfigurationFile {
    /// The size beyond which a file is not one of ours: 1 MiB.
    package static let maximumBytes = 1 << 20

    /// The contents of a file; nil where it is not there, cannot be read, is not a file, or is too long.
    package static func contents(atPath path: String) -> [UInt8]? {
        guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= maximumBytes else { return nil }
        return Array(data)
    }
}
