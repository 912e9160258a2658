// SPDX-License-Identifier: Apache-2.0

/// A network of addresses (RFC 4632), such as `10.0.0.0/8` or `2001:db8::/32`.
public struct IPNetwork: Sendable, Hashable, CustomStringConvertible {
    /// The first address.
    public let address: IPAddress
    /// The number of leading bits that all addresses have in common: 1 to 32 for IPv4, 1 to 128 for IPv6.
    public let prefixLength: Int

    /// Creates a network from its text: an address alone, or an address, `/` and a prefix length of at least 1.
    /// - Returns: `nil` if the text is anything else, or if a bit after the prefix is set, which is probably a mistake.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        let slash = bytes.firstIndex(of: UInt8(ascii: "/"))
        guard let address = IPAddress(utf8: bytes[..<(slash ?? bytes.endIndex)]) else { return nil }
        let width = address.isIPv4 ? 32 : 128
        var length = width
        if let slash {
            // An IPv6 text that stands for an IPv4 address has a prefix of up to 128 bits, which would mean another
            // network here.
            guard !address.isIPv4 || !bytes[..<slash].contains(UInt8(ascii: ":")) else { return nil }
            let digits = bytes[(slash + 1)...]
            guard (1...3).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
                digits.first != 0x30
            else { return nil }
            length = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        guard length <= width else { return nil }
        self.address = address
        prefixLength = length
        guard Self.masked(address, length) == (address.high, address.low) else { return nil }
    }

    /// Returns whether an address is in the network.
    public func contains(_ other: IPAddress) -> Bool {
        guard other.isIPv4 == address.isIPv4 else { return false }
        return Self.masked(other, prefixLength) == (address.high, address.low)
    }

    public var description: String { "\(address)/\(prefixLength)" }

    private static func masked(_ address: IPAddress, _ length: Int) -> (UInt64, UInt64) {
        guard !address.isIPv4 else { return (0, address.low & (UInt64.max << UInt64(32 - length)) & 0xFFFF_FFFF) }
        let high = length >= 64 ? UInt64.max : UInt64.max << UInt64(64 - length)
        let low = length <= 64 ? 0 : UInt64.max << UInt64(128 - length)
        return (address.high & high, address.low & low)
    }
}
