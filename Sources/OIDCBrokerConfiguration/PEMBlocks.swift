// SPDX-License-Identifier: Apache-2.0

/// The blocks of a PEM text that contains several (RFC 7468).
package enum PEMBlocks {
    /// Returns each block from its `-----BEGIN` to its `-----END`, in order. Text between the blocks is omitted, and so
    /// are the `EC PARAMETERS` that openssl writes before a key.
    ///
    /// A text without a block is returned as one block, and a block without an end is returned as it is: both are
    /// rejected when they are parsed.
    package static func split(_ text: String) -> [String] {
        var blocks: [String] = []
        var lines: [Substring]?
        func end() {
            guard let block = lines, block.first?.hasPrefix("-----BEGIN EC PARAMETERS") != true else { return }
            blocks.append(block.joined(separator: "\n") + "\n")
        }
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("-----BEGIN ") {
                end()
                lines = [line]
            } else if line.hasPrefix("-----END ") {
                lines?.append(line)
                end()
                lines = nil
            } else {
                lines?.append(line)
            }
        }
        end()
        return blocks.isEmpty ? [text] : blocks
    }
}
