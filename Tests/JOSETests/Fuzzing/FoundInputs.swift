// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Inputs that once broke a parser, one a file in `Corpus`, named after the parser: `json-`, `jws-`, `jwe-`, `keyset-`,
/// `base64url-`, then what was wrong. A driver starts from them and replays each as it is.
enum FoundInputs {
    private static var folder: URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")
    }

    /// The inputs for one parser, in the order of their names.
    static func bytes(for parser: String) throws -> [[UInt8]] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasPrefix(parser + "-") }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .map { [UInt8](try Data(contentsOf: $0)) }
    }
}
