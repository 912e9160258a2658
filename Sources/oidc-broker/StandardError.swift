// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerOperations

/// Messages for the user who started the process.
enum StandardError {
    /// Writes one line.
    static func write(_ line: String, terminator: String = "\n") {
        var lines = LineBatch()
        lines.append(Array("\(line)\(terminator)".utf8))
        _ = DescriptorOutput.standardError.write(lines)
    }
}
