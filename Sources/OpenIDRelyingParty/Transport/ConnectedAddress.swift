// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Validates the address to which a connection was made (RFC 6890 and its registries), whatever the host name is.
package enum ConnectedAddress {
    /// Whether a connection to this address is allowed. A connection to a Unix domain socket never is.
    package static func isAllowed(_ address: SocketAddress?, _ policy: ProviderTrust.Addresses) -> Bool {
        guard let bytes = bytes(of: address) else { return false }
        return isAllowed(bytes, policy)
    }

    /// The 4 or 16 bytes of an IP address; `nil` if the address is not one.
    package static func bytes(of address: SocketAddress?) -> [UInt8]? {
        switch address {
        case .v4(let v4): bytes(of: v4.address, at: 4, count: 4)
        case .v6(let v6): bytes(of: v6.address, at: 8, count: 16)
        default: nil
        }
    }

    /// The address inside a `sockaddr_in` or `sockaddr_in6`, whose offsets are the same on every system.
    private static func bytes<Address>(of address: Address, at offset: Int, count: Int) -> [UInt8] {
        withUnsafeBytes(of: address) { Array($0.dropFirst(offset).prefix(count)) }
    }

    /// Whether a connection to an address of 4 or 16 bytes is allowed.
    package static func isAllowed(_ bytes: [UInt8], _ policy: ProviderTrust.Addresses) -> Bool {
        if bytes.count == 16 {
            if let embedded = embeddedIPv4(bytes) { return isAllowed(embedded, policy) }
            if bytes[0] == 0xFE, bytes[1] & 0xC0 == 0x80 { return false }  // fe80::/10, link-local
            return isAllowed(isPublic: isPublicIPv6(bytes), policy)
        }
        guard bytes.count == 4 else { return false }
        if bytes[0] == 169, bytes[1] == 254 { return false }  // link-local: where clouds keep their metadata
        return isAllowed(isPublic: isPublicIPv4(bytes), policy)
    }

    private static func isAllowed(isPublic: Bool, _ policy: ProviderTrust.Addresses) -> Bool {
        switch policy {
        case .any: true
        case .publicOnly: isPublic
        case .privateOnly: !isPublic
        }
    }

    /// Whether the host of an issuer is evidently not on the public internet: `localhost`, a name under a reserved
    /// private suffix, a name without a dot, an address literal that is not public, or a number that some resolvers
    /// take for an address (`127.1`, `0x7f.0.0.1`).
    package static func isPrivateHost(_ host: String) -> Bool {
        if let address = try? SocketAddress(ipAddress: host, port: 1) { return !isAllowed(address, .publicOnly) }
        // A trailing dot marks an absolute name.
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        if name.utf8.count < host.utf8.count, let address = try? SocketAddress(ipAddress: name, port: 1) {
            return !isAllowed(address, .publicOnly)
        }
        let endings = [".localhost", ".local", ".internal", ".lan", ".home.arpa", ".corp", ".test", ".intranet"]
        return !name.contains(".") || endings.contains { name.hasSuffix($0) } || endsInNumber(name)
    }

    /// Whether a host is a link-local address literal, which is always refused.
    package static func isLinkLocalHost(_ host: String) -> Bool {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        guard let address = try? SocketAddress(ipAddress: name, port: 1) else { return false }
        return !isAllowed(address, .any)
    }

    /// Whether the last label is a number, as defined by the WHATWG URL standard ("ends in a number"). No name on the
    /// public internet ends in one.
    private static func endsInNumber(_ name: String) -> Bool {
        guard let last = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last else {
            return false
        }
        if last.starts(with: "0x".utf8) || last.starts(with: "0X".utf8) { return true }
        return !last.isEmpty && last.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func isPublicIPv4(_ bytes: [UInt8]) -> Bool {
        switch (bytes[0], bytes[1]) {
        case (0, _), (10, _), (127, _), (224...255, _): false
        case (100, 64...127), (172, 16...31), (192, 168), (198, 18...19): false
        case (192, 0): !(bytes[2] == 0 || bytes[2] == 2)
        case (198, 51): bytes[2] != 100
        case (203, 0): bytes[2] != 113
        default: true
        }
    }

    private static func isPublicIPv6(_ bytes: [UInt8]) -> Bool {
        // Global unicast is 2000::/3, except Teredo (2001::/32) and 6to4 (2002::/16), which tunnel to an embedded IPv4
        // address, and documentation (2001:db8::/32).
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0x20, 0x01, 0, 0), (0x20, 0x01, 0x0D, 0xB8), (0x20, 0x02, _, _): false
        default: bytes[0] & 0xE0 == 0x20
        }
    }

    /// The IPv4 address inside ::ffff:a.b.c.d or 64:ff9b::a.b.c.d; `nil` if there is none.
    private static func embeddedIPv4(_ bytes: [UInt8]) -> [UInt8]? {
        let head = bytes[..<12]
        if head.elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
            || head.elementsEqual([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0])
        {
            return Array(bytes[12...])
        }
        return nil
    }
}
