// SPDX-License-Identifier: Apache-2.0

extension IPAddress {
    /// The networks in which a client counts, smallest first. Each has the limits of one client times its scale.
    ///
    /// An IPv4 address counts alone. The holder of an IPv6 /64 often has a /56 too, and a /48 is easy to obtain.
    package var countedNetworks: [(network: IPNetwork, scale: Int)] {
        guard !isIPv4 else { return [(largestNetwork, 1)] }
        return [(network(64), 1), (network(56), 4), (largestNetwork, 8)]
    }

    /// The largest network that is counted for a client: an IPv4 address, or an IPv6 /48.
    package var largestNetwork: IPNetwork { isIPv4 ? IPNetwork(first: self, prefixLength: 32) : network(48) }

    private func network(_ length: Int) -> IPNetwork {
        let prefix = high & (UInt64.max << UInt64(64 - length))
        return IPNetwork(first: IPAddress(ipv6Prefix: prefix), prefixLength: length)
    }
}

extension IPNetwork {
    /// - Parameters:
    ///   - first: The first address. No bit after the prefix is set in it.
    ///   - prefixLength: The number of bits of the prefix.
    fileprivate init(first: IPAddress, prefixLength: Int) {
        address = first
        self.prefixLength = prefixLength
    }
}
