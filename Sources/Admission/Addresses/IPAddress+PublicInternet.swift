// SPDX-License-Identifier: Apache-2.0

extension IPAddress {
    /// Whether this is an address of the public internet. Loopback, private, shared (RFC 6598), link-local and unspecified
    /// addresses are not: they nearly always belong to a proxy or a load balancer, and limiting those would limit all
    /// clients.
    package var isOfPublicInternet: Bool { isIPv4 ? Self.isPublic(ipv4: low) : Self.isPublic(ipv6Prefix: high) }

    private static func isPublic(ipv4 address: UInt64) -> Bool {
        func isIn(_ prefix: UInt64, _ length: UInt64) -> Bool { (address ^ prefix) >> (32 - length) == 0 }
        return !isIn(0, 8) && !isIn(0x0A00_0000, 8) && !isIn(0x6440_0000, 10) && !isIn(0x7F00_0000, 8)
            && !isIn(0xA9FE_0000, 16) && !isIn(0xAC10_0000, 12) && !isIn(0xC0A8_0000, 16) && !isIn(0xE000_0000, 3)
    }

    private static func isPublic(ipv6Prefix prefix: UInt64) -> Bool {
        // Unspecified, loopback and other addresses that begin with zeros; fc00::/7; fe80::/10; ff00::/8.
        prefix != 0 && prefix >> 57 != 0x7E && prefix >> 54 != 0x3FA && prefix >> 56 != 0xFF
    }
}
