// SPDX-License-Identifier: Apache-2.0

/// How much clients hold of one thing, in any unit, in total and in each network. It has no lock.
///
/// The networks of a client are its ``IPAddress/countedNetworks``. A client that is not known, and a proxy that speaks
/// for others, count only in the total. Networks that hold nothing are forgotten, so there are at most three for each
/// thing that is held.
package struct NetworkShares: Sendable {
    /// A bound that would be exceeded.
    package enum Excess: Sendable, Hashable {
        /// The bound of all clients together.
        case total
        /// The bound of a network of the client.
        case network
    }

    /// What all clients hold.
    package private(set) var total = 0
    private var networks: [IPNetwork: Int] = [:]

    /// Creates shares. Nothing is held yet.
    package init() {}

    /// The number of networks that hold something. An IPv4 client has one, an IPv6 client three.
    package var networkCount: Int { networks.count }

    /// What one network holds.
    func held(by network: IPNetwork) -> Int { networks[network] ?? 0 }

    /// Takes an amount, all of it or nothing.
    /// - Parameters:
    ///   - amount: The amount, more than 0.
    ///   - client: The address of the client; `nil` for a client without a share of its own.
    ///   - maximum: The maximum of all clients together.
    ///   - share: The maximum of an IPv4 address or an IPv6 /64.
    ///   - isScaled: Whether a /56 has four times the share, and a /48 eight times. Not so where the share is a
    ///     fraction of what all clients have.
    /// - Returns: The bound that it would exceed; `nil` if it was taken.
    package mutating func take(
        _ amount: Int, for client: IPAddress?, of maximum: Int, share: Int, isScaled: Bool = true
    ) -> Excess? {
        let counted = client?.countedNetworks ?? []
        // The network's own bound comes first, so that it is reported even while there is no room for any client.
        for (network, scale) in counted {
            let (bound, overflows) = share.multipliedReportingOverflow(by: isScaled ? scale : 1)
            guard overflows || amount <= bound - (networks[network] ?? 0) else { return .network }
        }
        guard amount <= maximum - total else { return .total }
        total += amount
        for (network, _) in counted { networks[network, default: 0] += amount }
        return nil
    }

    /// Gives back an amount that was taken for the same client.
    package mutating func giveBack(_ amount: Int, for client: IPAddress?) {
        total = max(0, total - amount)
        for (network, _) in client?.countedNetworks ?? [] {
            guard let held = networks[network] else { continue }
            networks[network] = held > amount ? held - amount : nil
        }
    }
}
