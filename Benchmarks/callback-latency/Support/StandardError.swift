// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where progress and complaints go; standard output holds results alone.
enum StandardError {
    /// Writes a line.
    static func write(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
