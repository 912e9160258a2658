// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Inputs that once broke a parser or a rule, one a file in `Corpus`, named after the driver. It replays each as it is,
/// and starts from them.
enum FoundInputs {
    private static var folder: URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")
    }

    /// The inputs for one driver, in the order of their names.
    static func bytes(for driver: String) throws -> [[UInt8]] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasPrefix(driver + "-") }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .map { [UInt8](try Data(contentsOf: $0)) }
    }
}
