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

    /// Returns the blocks of private keys of any kind, and leaves out all others. Their lines are as every reader takes
    /// them.
    package static func privateKeys(in text: String) -> [String] { blocks(of: "PRIVATE KEY", in: text) }

    /// Returns the blocks of certificates, and leaves out all others. Their lines are as every reader takes them.
    package static func certificates(in text: String) -> [String] { blocks(of: "CERTIFICATE", in: text) }

    /// The blocks whose label is the given one, or ends in a space and it.
    private static func blocks(of label: String, in text: String) -> [String] {
        split(text).filter { block in
            let line = block.prefix { $0 != "\n" }
            return line.hasPrefix(beginning) && line.hasSuffix(" \(label)-----")
        }.map(wrapped)
    }

    /// A block with 64 characters of base64 in each line (RFC 7468 section 2). One with headers, as an encrypted key has, is
    /// returned as it is.
    private static func wrapped(_ block: String) -> String {
        let lines = block.split(separator: "\n")
        guard lines.count > 2, lines.last?.hasPrefix("-----END ") == true, !block.utf8.contains(UInt8(ascii: ":"))
        else {
            return block
        }
        var rest = Array(lines.dropFirst().dropLast().joined().utf8)[...]
        var text = String(lines[0]) + "\n"
        while !rest.isEmpty {
            text += String(decoding: rest.prefix(64), as: UTF8.self) + "\n"
            rest = rest.dropFirst(64)
        }
        return text + String(lines[lines.count - 1]) + "\n"
    }

    private static func trimmed(_ line: Substring) -> Substring {
        var line = line.drop { $0 == " " || $0 == "\t" }
        while let last = line.last, last == " " || last == "\t" {
            line.removeLast()
        }
        return line
    }
}
