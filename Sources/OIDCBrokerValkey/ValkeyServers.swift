// SPDX-License-Identifier: Apache-2.0

/// Where a ``ValkeySingleUseStore`` finds its server: at one address, or where sentinels say the primary is.
public struct ValkeyServers: Sendable, Hashable, CustomStringConvertible {
    enum Kind: Sendable, Hashable {
        case node(ValkeyAddress)
        case sentinels([ValkeyAddress], primaryName: String)
    }

    let kind: Kind

    /// One server at one address.
    public static func node(_ address: ValkeyAddress) -> Self {
        Self(kind: .node(address))
    }

    /// The primary that sentinels name.
    ///
    /// They are asked at each new connection, and the address that most of them name is tried first.
    /// - Parameters:
    ///   - addresses: The addresses of the sentinels, at least three.
    ///   - primaryName: The name of the primary, as in the line `sentinel monitor` of their configuration.
    public static func sentinels(_ addresses: [ValkeyAddress], primaryName: String) -> Self {
        Self(kind: .sentinels(addresses, primaryName: primaryName))
    }

    /// The address, or the name of the primary and the addresses of the sentinels.
    public var description: String {
        switch kind {
        case .node(let address): address.description
        case .sentinels(let addresses, let primaryName):
            "\(primaryName) of the sentinels \(addresses.map(\.description).joined(separator: ", "))"
        }
    }
}
