// SPDX-License-Identifier: Apache-2.0

public import Admission

/// The networks of the proxies whose forwarding field is believed. No client may be in one of them.
public struct TrustedProxies: Sendable, Hashable {
    /// The maximum number of networks.
    public static let maximumCount = 256

    /// No proxies.
    public static let none = TrustedProxies()

    /// The networks.
    public let networks: [IPNetwork]

    private init() { networks = [] }

    /// Creates a list of proxies.
    /// - Returns: `nil` if there are more than ``maximumCount`` networks.
    public init?(_ networks: [IPNetwork]) {
        guard networks.count <= Self.maximumCount else { return nil }
        self.networks = networks
    }

    /// Whether there are none.
    public var isEmpty: Bool { networks.isEmpty }

    /// Returns whether an address is that of one of the proxies.
    public func contains(_ address: IPAddress) -> Bool {
        for network in networks where network.contains(address) { return true }
        return false
    }
}
