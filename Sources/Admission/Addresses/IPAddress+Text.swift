// SPDX-License-Identifier: Apache-2.0

extension IPAddress {
    /// The maximum length of the text of an address, in bytes.
    static let longestText = 45

    /// Creates an address from its text: an IPv4 address as four decimal numbers without leading zeros, or an IPv6
    /// address (RFC 4291 section 2.2). Neither may have a port, brackets, a zone or white space.
    public init?(_ text: String) { self.init(utf8: Array(text.utf8)[...]) }

    /// Creates an address from the bytes of its text.
    package init?<Text: RandomAccessCollection<UInt8>>(utf8 text: Text) where Text.Index == Int {
        guard text.count <= Self.longestText else { return nil }
        if text.contains(UInt8(ascii: ":")) {
            guard let bytes = Self.ipv6(text) else { return nil }
            self.init(bytes: bytes)
        } else {
            guard let address = Self.ipv4(text) else { return nil }
            self.init(ipv4: address)
        }
    }

    /// The four bytes of an IPv4 address, as one number.
    private static func ipv4(_ text: some Sequence<UInt8>) -> UInt64? {
        var address: UInt64 = 0
        var (dots, digits, byte) = (0, 0, UInt64(0))
        for character in text {
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard digits == 0 || byte > 0 else { return nil }
                byte = byte * 10 + UInt64(character - UInt8(ascii: "0"))
                digits += 1
                guard byte <= 0xFF else { return nil }
            case UInt8(ascii: "."):
                guard digits > 0, dots < 3 else { return nil }
                address = address << 8 | byte
                dots += 1
                (digits, byte) = (0, 0)
            default:
                return nil
            }
        }
        return dots == 3 && digits > 0 ? address << 8 | byte : nil
    }

    private static func ipv6<Text: RandomAccessCollection<UInt8>>(_ text: Text) -> [UInt8]? where Text.Index == Int {
        // At most one `::`, which stands for at least one group of zeros.
        let colon = UInt8(ascii: ":")
        var gap: Int?
        for index in text.indices.dropLast() where text[index] == colon && text[index + 1] == colon {
            guard gap == nil else { return nil }
            gap = index
        }
        guard let gap else {
            let bytes = groups(text)
            return bytes?.count == 16 ? bytes : nil
        }
        let (before, after) = (text[..<gap], text[(gap + 2)...])
        // An IPv4 address may stand only at the end, so not before the gap.
        guard !before.contains(UInt8(ascii: ".")), let head = before.isEmpty ? [] : groups(before),
            let tail = after.isEmpty ? [] : groups(after), head.count + tail.count <= 14
        else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    /// The bytes of groups between colons. The last group may be an IPv4 address.
    private static func groups(_ text: some Collection<UInt8>) -> [UInt8]? {
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count <= 8 else { return nil }
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
                guard let last = ipv4(part) else { return nil }
                bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: last >> $0) }
                continue
            }
            let digits = part.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard (1...4).contains(part.count), digits.count == part.count else { return nil }
            let group = digits.reduce(0) { $0 << 4 | $1 }
            bytes += [UInt8(truncatingIfNeeded: group >> 8), UInt8(truncatingIfNeeded: group)]
        }
        return bytes
    }
}
