// SPDX-License-Identifier: Apache-2.0

/// The addresses of hostile clients and of those who sign in, and that of the target.
package enum ClientAddresses: Sendable, Hashable {
    /// Loopback addresses, which need no preparation.
    case ipv4
    /// Addresses of ``network``, which need a route.
    case ipv6

    /// The network of all clients over IPv6, which is reserved for examples (RFC 3849).
    package static let network = "2001:db8::/32"

    /// The address of the target.
    package var target: String {
        switch self {
        case .ipv4: "127.0.0.1"
        case .ipv6: "::1"
        }
    }

    /// The target's address as the host of a URL.
    package var targetHost: String {
        switch self {
        case .ipv4: target
        case .ipv6: "[\(target)]"
        }
    }

    /// Returns the address of a hostile client.
    ///
    /// Over IPv6 they have one /48: four /56s in turn, four /64s of each, and then further addresses of these.
    ///
    /// - Parameter number: The number of the address, 0 to 249.
    package func hostile(_ number: Int) -> String {
        switch self {
        case .ipv4: "127.0.0.\(2 + number)"
        case .ipv6:
            "2001:db8:1:\(Self.hex(((number % 4) << 8) | ((number / 4) % 4)))::\(Self.hex(2 + number / 16))"
        }
    }

    /// Returns the address of one who signs in.
    ///
    /// Over IPv6 each has a /56, as a household has, of another /48 than hostile clients.
    ///
    /// - Parameter number: The number of the address, 0 to 249.
    package func signIn(_ number: Int) -> String {
        switch self {
        case .ipv4: "127.0.1.\(1 + number)"
        case .ipv6: "2001:db8:2:\(Self.hex(number << 8))::1"
        }
    }

    /// Returns the number of hostile clients that make accounts: the first ones.
    ///
    /// IPv4 addresses have nothing in common, and ten of them may use up what all clients have. So only four do.
    ///
    /// - Parameter addresses: The number of addresses of hostile clients.
    package func accountClients(of addresses: Int) -> Int { self == .ipv4 ? min(addresses, 4) : addresses }

    /// Returns the number of their networks. Each has its own limit.
    ///
    /// - Parameter addresses: The number of addresses of hostile clients.
    package func accountNetworks(of addresses: Int) -> Int { self == .ipv4 ? accountClients(of: addresses) : 1 }

    private static func hex(_ number: Int) -> String { String(number, radix: 16) }
}
