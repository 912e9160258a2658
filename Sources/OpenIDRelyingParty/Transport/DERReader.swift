// SPDX-License-Identifier: Apache-2.0

/// A reader of DER (X.690), one element after the other, limited to what the algorithms and the key of a certificate
/// need.
///
/// It does not trap on any input. Every function returns `nil` for an element that is not valid DER or is longer than
/// 65,535 bytes.
struct DERReader {
    /// The tags that can be read.
    enum Tag: UInt8 {
        case integer = 0x02
        case bitString = 0x03
        case objectIdentifier = 0x06
        case sequence = 0x30
        /// The tag `[0] EXPLICIT`.
        case explicit0 = 0xA0
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// Whether all bytes have been read.
    var isAtEnd: Bool { rest.isEmpty }

    /// Whether the next element has this tag.
    func isNext(_ tag: Tag) -> Bool { rest.first == tag.rawValue }

    /// Reads the content of the next element; `nil` if it does not have this tag or is incomplete.
    mutating func read(_ tag: Tag) -> ArraySlice<UInt8>? {
        guard isNext(tag), let length = rest.dropFirst().first else { return nil }
        let header: Int
        let count: Int
        switch length {
        case 0..<0x80:
            (header, count) = (2, Int(length))
        case 0x81:
            guard let low = rest.dropFirst(2).first, low >= 0x80 else { return nil }
            (header, count) = (3, Int(low))
        case 0x82:
            guard let high = rest.dropFirst(2).first, let low = rest.dropFirst(3).first, high > 0 else { return nil }
            (header, count) = (4, Int(high) << 8 | Int(low))
        default:
            return nil
        }
        let content = rest.dropFirst(header).prefix(count)
        guard content.count == count else { return nil }
        rest = rest.dropFirst(header + count)
        return content
    }

    /// Reads the next element as `read(_:)` does, and returns a reader of its content.
    mutating func open(_ tag: Tag) -> DERReader? { read(tag).map(DERReader.init) }
}
