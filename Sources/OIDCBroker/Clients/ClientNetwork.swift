// SPDX-License-Identifier: Apache-2.0

/// A network to which a ``ClientAddress`` belongs, and whose requests are counted together.
struct ClientNetwork: Sendable, Hashable {
    private let address: ClientAddress
    private let prefixLength: UInt8

    fileprivate init(_ address: ClientAddress, prefixLength: UInt8) {
        self.address = address
        self.prefixLength = prefixLength
    }
}

extension ClientAddress {
    /// The networks of this address, from the smallest, and how many times the limits of one address each may take.
    ///
    /// An IPv4 address stands for itself. Of IPv6, whoever has one /64 often has a /56, and anybody can have a /48.
    var networks: [(network: ClientNetwork, scale: Int)] {
        guard let wider = widerIPv6 else { return [(ClientNetwork(self, prefixLength: 32), 1)] }
        return [
            (ClientNetwork(self, prefixLength: 64), 1),
            (ClientNetwork(wider.of56, prefixLength: 56), 4),
            (ClientNetwork(wider.of48, prefixLength: 48), 8),
        ]
    }
}
