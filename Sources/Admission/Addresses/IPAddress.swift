// SPDX-License-Identifier: Apache-2.0

/// An IPv4 or IPv6 address (RFC 791, RFC 4291).
///
/// An IPv6 address that stands for an IPv4 address (`::ffff:0:0/96`; `64:ff9b::/96`, RFC 6052) becomes that IPv4
/// address. So a client has the same address on every socket.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// The first half of an IPv6 address; 0 for an IPv4 address.
    package let high: UInt64
    /// The second half of an IPv6 address, or the IPv4 address.
    package let low: UInt64
    /// Whether this is an IPv4 address.
    public let isIPv4: Bool

    /// Creates an address.
    /// - Parameter bytes: 4 or 16 bytes in network order.
    /// - Returns: `nil` for any other number of bytes.
    public init?(bytes: some Collection<UInt8>) {
        func number(_ bytes: some Collection<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        switch bytes.count {
        case 4:
            self.init(ipv4: number(bytes))
        case 16:
            self.init(high: number(bytes.prefix(8)), low: number(bytes.dropFirst(8)))
        default:
            return nil
        }
    }

    /// Creates an IPv4 address from its 32 bits.
    package init(ipv4 address: UInt64) { (high, low, isIPv4) = (0, address & 0xFFFF_FFFF, true) }

    private init(high: UInt64, low: UInt64) {
        let standsForIPv4 = high == 0 && low >> 32 == 0xFFFF || high == 0x0064_FF9B_0000_0000 && low >> 32 == 0
        (self.high, self.low, isIPv4) = standsForIPv4 ? (0, low & 0xFFFF_FFFF, true) : (high, low, false)
    }

    /// Creates the first address of an IPv6 /64. It is an IPv6 address even where some addresses of the /64 stand for
    /// IPv4 addresses.
    package init(ipv6Prefix high: UInt64) { (self.high, low, isIPv4) = (high, 0, false) }

    /// The 4 or 16 bytes of the address in network order.
    package var bytes: [UInt8] {
        func bytes(_ number: UInt64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
        return isIPv4 ? Array(bytes(low).suffix(4)) : bytes(high) + bytes(low)
    }

    /// An IPv4 address itself, or the first address of an IPv6 address's /64, which one household or one server usually
    /// has.
    public var client: IPAddress { isIPv4 ? self : IPAddress(ipv6Prefix: high) }

    /// Whether this is a loopback address: `127.0.0.0/8` or `::1`.
    public var isLoopback: Bool { isIPv4 ? low >> 24 == 127 : high == 0 && low == 1 }

    /// The address in its canonical form (RFC 5952).
    public var description: String {
        guard !isIPv4 else { return ipv4Text }
        let groups = (0..<8).map { index -> UInt64 in
            let half = index < 4 ? high : low
            return half >> (48 - 16 * UInt64(index % 4)) & 0xFFFF
        }
        let zeros = Self.longestZeros(groups)
        func text(_ groups: ArraySlice<UInt64>) -> String {
            groups.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard zeros.count > 1 else { return text(groups[...]) }
        return text(groups[..<zeros.lowerBound]) + "::" + text(groups[zeros.upperBound...])
    }

    /// The text of an IPv4 address. Every log line about a request has it, so it is made with one allocation.
    private var ipv4Text: String {
        String(unsafeUninitializedCapacity: Self.longestIPv4Text) { text in
            var end = 0
            func append(_ character: UInt8) {
                text[end] = character
                end += 1
            }
            for shift in [24, 16, 8, 0] as [UInt64] {
                if end > 0 { append(UInt8(ascii: ".")) }
                let byte = UInt8(truncatingIfNeeded: low >> shift)
                if byte >= 100 { append(UInt8(ascii: "0") + byte / 100) }
                if byte >= 10 { append(UInt8(ascii: "0") + byte / 10 % 10) }
                append(UInt8(ascii: "0") + byte % 10)
            }
            return end
        }
    }

    private static let longestIPv4Text = 15

    /// The first of the longest runs of groups that are zero.
    private static func longestZeros(_ groups: [UInt64]) -> Range<Int> {
        var longest = 0..<0
        var start = 0
        for index in groups.indices {
            guard groups[index] == 0 else {
                start = index + 1
                continue
            }
            if index + 1 - start > longest.count { longest = start..<index + 1 }
        }
        return longest
    }
}
