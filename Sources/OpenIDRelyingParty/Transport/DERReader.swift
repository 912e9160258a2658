// SPDX-License-Identifier: Apache-2.0

/// Reads DER (X.690), one element after the other: as much of it as a certificate's algorithms and key need. Nothing of
/// it traps, whatever the bytes are; what is not DER of at most 65,535 bytes an element is nil.
struct DERReader {
    /// The tags that are asked for.
    enum Tag: UInt8 {
        case integer = 0x02
        case bitString = 0x03
        case objectIdentifier = 0x06
        case sequence = 0x30
        /// `[0] EXPLICIT`.
        case explicit0 = 0xA0
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// Whether all is read.
    var isAtEnd: Bool { rest.isEmpty }

    /// Whether an element with this tag is next.
    func isNext(_ tag: Tag) -> Bool { rest.first == tag.rawValue }

    /// The content of the next element, which has this tag; `nil` if it has not, or is not whole.
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

    /// The same, as a reader of what is in it.
    mutating func open(_ tag: Tag) -> DERReader? { read(tag).map(DERReader.init) }
}
