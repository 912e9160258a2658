// SPDX-License-Identifier: Apache-2.0

/// The blocks of a PEM text that holds several, one after another (RFC 7468).
enum PEMBlocks {
    /// Each block from its `-----BEGIN` to its `-----END`, in order; what stands between blocks is left out, and so are
    /// the `EC PARAMETERS` that openssl writes before a key.
    ///
    /// A text without a block is one block: whoever reads it finds that it is none. A block without an end stays one.
    static func split(_ text: String) -> [String] {
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
