// SPDX-License-Identifier: Apache-2.0

public import Admission

/// The address of a client on the public internet: an IPv4 address, or the /64 prefix of an IPv6 address, which one
/// household or one server usually has.
///
/// Only addresses of the public internet are represented. Loopback, private, shared (RFC 6598), link-local and
/// unspecified addresses are not: they nearly always belong to a proxy or a load balancer, and limiting those would
/// limit all clients.
public struct ClientAddress: Sendable, Hashable {
    private enum Family: UInt8 { case ipv4, ipv6 }

    /// The IPv4 address, or the first half of the IPv6 address.
    private let number: UInt64
    private let family: Family

    /// Creates the address of a client.
    /// - Returns: `nil` for an address outside the public internet.
    public init?(_ address: IPAddress) {
        if address.isIPv4 {
            self.init(ipv4: address.low)
        } else {
            self.init(ipv6: address.high)
        }
    }

    /// Creates the address of a client.
    /// - Parameter bytes: 4 or 16 bytes in network order. An IPv6 address that represents an IPv4 address
    ///   (`::ffff:0:0/96`; `64:ff9b::/96`, RFC 6052) becomes that one.
    /// - Returns: `nil` for any other number of bytes, and for an address outside the public internet.
    public init?(bytes: some Collection<UInt8>) {
        guard let address = IPAddress(bytes: bytes) else { return nil }
        self.init(address)
    }

    /// The address without the rule about the public internet; of an IPv6 network its first address.
    package var address: IPAddress {
        switch family {
        case .ipv4: IPAddress(ipv4: number)
        case .ipv6: IPAddress(ipv6Prefix: number)
        }
    }

    private init?(ipv4 address: UInt64) {
        func isIn(_ prefix: UInt64, _ length: UInt64) -> Bool { (address ^ prefix) >> (32 - length) == 0 }
        let isPublic =
            !isIn(0, 8) && !isIn(0x0A00_0000, 8) && !isIn(0x6440_0000, 10) && !isIn(0x7F00_0000, 8)
            && !isIn(0xA9FE_0000, 16) && !isIn(0xAC10_0000, 12) && !isIn(0xC0A8_0000, 16) && !isIn(0xE000_0000, 3)
        guard isPublic else { return nil }
        (family, number) = (.ipv4, address)
    }

    private init?(ipv6 prefix: UInt64) {
        // Unspecified, loopback and other addresses that begin with zeros; fc00::/7; fe80::/10; ff00::/8.
        let isPublic = prefix != 0 && prefix >> 57 != 0x7E && prefix >> 54 != 0x3FA && prefix >> 56 != 0xFF
        guard isPublic else { return nil }
        (family, number) = (.ipv6, prefix)
    }
}
