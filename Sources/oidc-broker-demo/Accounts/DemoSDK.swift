// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The files of the Firebase SDK for JavaScript that a user gives to the demo. None is part of this package.
enum DemoSDK {
    /// The maximum length of a file, in bytes.
    static let maximumBytes = 4_194_304

    /// Reads a file.
    ///
    /// - Throws: ``DemoError`` if it cannot be read, is too long, or is not UTF-8.
    static func read(_ path: String) throws(DemoError) -> String {
        guard let data = FileManager.default.contents(atPath: path), data.count <= maximumBytes,
            let text = String(validating: data, as: UTF8.self)
        else { throw .cannotRead(path: path) }
        return text
    }
}
