// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Standard error, for progress and errors. Standard output contains only results.
enum StandardError {
    /// Writes a line.
    static func write(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
