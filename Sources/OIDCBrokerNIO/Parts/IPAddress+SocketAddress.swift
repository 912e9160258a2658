// SPDX-License-Identifier: Apache-2.0

public import Admission
public import NIOCore

extension IPAddress {
    /// Creates the address of a connection's peer.
    /// - Returns: `nil` for a Unix domain socket, and for an unknown address.
    public init?(_ address: SocketAddress?) {
        // The offsets of the address in `sockaddr_in` and `sockaddr_in6` are the same on every system.
        let known: IPAddress? =
            switch address {
            case .v4(let address): withUnsafeBytes(of: address.address) { Self(bytes: $0.dropFirst(4).prefix(4)) }
            case .v6(let address): withUnsafeBytes(of: address.address) { Self(bytes: $0.dropFirst(8).prefix(16)) }
            default: nil
            }
        guard let known else { return nil }
        self = known
    }
}
