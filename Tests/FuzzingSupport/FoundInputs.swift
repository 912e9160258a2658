// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Inputs that once broke a parser or a rule, one a file in the folder `Corpus` beside the driver, named after the
/// driver, then after what was wrong. A driver replays each as it is, and starts from them.
public enum FoundInputs {
    /// The inputs for one driver, in the order of their names.
    /// - Parameter file: The source file beside the folder: the driver's own.
    /// - Throws: An error of the file system if the folder or a file of it cannot be read.
    public static func bytes(for driver: String, beside file: String = #filePath) throws -> [[UInt8]] {
        let folder = URL(filePath: file).deletingLastPathComponent().appending(path: "Corpus")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasPrefix(driver + "-") }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .map { [UInt8](try Data(contentsOf: $0)) }
    }
}
