// SPDX-License-Identifier: Apache-2.0

/// The blocks of a PEM text that contains several (RFC 7468).
package enum PEMBlocks {
    private static let beginning = "-----BEGIN "

    /// Returns each block from its `-----BEGIN` to its `-----END`, in order, without the spaces and tabs around its lines:
    /// a text in a configuration file may be indented. Text between the blocks is omitted, and so are the `EC PARAMETERS`
    /// that openssl writes before a key.
    ///
    /// A text without a block is returned as one block, and a block without an end is returned as it is: both are
    /// rejected when they are parsed.
    package static func split(_ text: String) -> [String] {
        var blocks: [String] = []
        var lines: [Substring]?
        func end() {
            guard let block = lines, block.first?.hasPrefix(beginning + "EC PARAMETERS") != true else { return }
            blocks.append(block.joined(separator: "\n") + "\n")
        }
        for line in text.split(whereSeparator: \.isNewline) {
            let line = trimmed(line)
            if line.hasPrefix(beginning) {
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

    /// Returns the blocks of private keys of any kind as ``split(_:)`` does, and leaves out all others.
    package static func privateKeys(in text: String) -> [String] {
        split(text).filter { block in
            block.hasPrefix(beginning) && block.prefix { $0 != "\n" }.hasSuffix("PRIVATE KEY-----")
        }
    }

    private static func trimmed(_ line: Substring) -> Substring {
        var line = line.drop { $0 == " " || $0 == "\t" }
        while let last = line.last, last == " " || last == "\t" {
            line.removeLast()
        }
        return line
    }
}
