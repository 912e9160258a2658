// SPDX-License-Identifier: Apache-2.0

/// A network that contains a ``ClientAddress``, whose requests are counted together.
struct ClientNetwork: Sendable, Hashable {
    private let address: ClientAddress
    private let prefixLength: UInt8

    fileprivate init(_ address: ClientAddress, prefixLength: UInt8) {
        self.address = address
        self.prefixLength = prefixLength
    }
}

extension ClientAddress {
    /// The networks of this address, smallest first, with the factor by which their limits are larger than those of one
    /// address.
    ///
    /// An IPv4 address counts alone. The holder of an IPv6 /64 often has a /56 too, and a /48 is easy to obtain.
    var networks: [(network: ClientNetwork, scale: Int)] {
        guard let wider = widerIPv6 else { return [(ClientNetwork(self, prefixLength: 32), 1)] }
        return [
            (ClientNetwork(self, prefixLength: 64), 1),
            (ClientNetwork(wider.of56, prefixLength: 56), 4),
            (ClientNetwork(wider.of48, prefixLength: 48), 8),
        ]
    }
}
