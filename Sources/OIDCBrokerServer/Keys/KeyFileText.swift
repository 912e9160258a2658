// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDRelyingParty

/// The text of a file with keys, cut so that keys can be added, moved and removed, and everything else stays.
///
/// What stands before a key (a comment, a block with the parameters of its curve) belongs to the key and moves with it.
/// The file ends with a line break. Whether the keys can be used is for ``KeyFile`` to say.
struct KeyFileText: Sendable, Unprinted {
    /// A key, and the lines before it that belong to it.
    private struct Piece: Sendable {
        let lines: [UInt8]
        let key: Secret
    }

    private var pieces: [Piece] = []
    /// The lines behind the last key.
    private var rest: [UInt8] = []

    private static let beginning = Array("-----BEGIN ".utf8)
    private static let ending = Array("-----END ".utf8)
    private static let privateKeyLabelEnd = Array("PRIVATE KEY-----".utf8)
    private static let lineFeed = UInt8(ascii: "\n")

    /// Cuts a text: sealing keys stand one on a line, all others in PEM blocks (RFC 7468).
    init(_ contents: [UInt8], kind: KeyKind) {
        let lines = Self.lines(of: contents)
        if kind == .sealing {
            cutLines(lines)
        } else {
            cutBlocks(lines)
        }
    }

    /// Whether a text has PEM blocks.
    static func hasBlocks(_ contents: [UInt8]) -> Bool { lines(of: contents).contains { $0.starts(with: beginning) } }

    /// The keys without what belongs to them, in their order.
    var keys: [Secret] { pieces.map(\.key) }

    /// The whole text.
    var bytes: [UInt8] { pieces.flatMap(\.lines) + rest }

    /// Inserts a key so that it stands at an index; beyond the last one it becomes the last one.
    mutating func insert(_ key: Secret, at index: Int) {
        let lines = Self.lines(of: Array(key.exposed.utf8)).flatMap { $0 }
        pieces.insert(Piece(lines: lines, key: key), at: min(max(index, 0), pieces.count))
    }

    /// Moves the key at an index to an earlier one.
    mutating func move(from index: Int, to target: Int) {
        guard pieces.indices.contains(index), pieces.indices.contains(target) else { return }
        pieces.insert(pieces.remove(at: index), at: target)
    }

    /// Removes the key at an index with what belongs to it.
    mutating func remove(at index: Int) {
        guard pieces.indices.contains(index) else { return }
        pieces.remove(at: index)
    }

    private mutating func cutLines(_ lines: [[UInt8]]) {
        for line in lines {
            rest += line
            let key = Self.trimmed(line)
            guard !key.isEmpty else { continue }
            pieces.append(Piece(lines: rest, key: Secret(String(decoding: key, as: UTF8.self))))
            rest = []
        }
    }

    private mutating func cutBlocks(_ lines: [[UInt8]]) {
        var block: [UInt8]?
        // A block without an end becomes a piece too: it is refused when it is read.
        func end(_ block: [UInt8]) {
            pieces.append(Piece(lines: rest + block, key: Secret(String(decoding: block, as: UTF8.self))))
            rest = []
        }
        for line in lines {
            if line.starts(with: Self.beginning) {
                if let block { end(block) }
                block =
                    Self.trimmed(line).suffix(Self.privateKeyLabelEnd.count).elementsEqual(Self.privateKeyLabelEnd)
                    ? [] : nil
            }
            guard block != nil else {
                rest += line
                continue
            }
            block?.append(contentsOf: line)
            if line.starts(with: Self.ending), let complete = block {
                end(complete)
                block = nil
            }
        }
        if let block { end(block) }
    }

    /// The lines with their line feeds, which the last one gets if it has none.
    private static func lines(of contents: [UInt8]) -> [[UInt8]] {
        contents.split(separator: lineFeed, omittingEmptySubsequences: false)
            // What is behind the last line feed is no line if it is empty.
            .dropLast(contents.last == lineFeed || contents.isEmpty ? 1 : 0)
            .map { Array($0) + [lineFeed] }
    }

    /// A line without the white space and the line feed at its end.
    private static func trimmed(_ line: [UInt8]) -> ArraySlice<UInt8> {
        var line = line[...]
        while let last = line.last, last == 0x20 || (0x09...0x0D).contains(last) { line.removeLast() }
        return line
    }
}
