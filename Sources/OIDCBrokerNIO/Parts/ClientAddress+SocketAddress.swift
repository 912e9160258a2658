// SPDX-License-Identifier: Apache-2.0

import Admission
public import NIOCore
import OIDCBroker
public import OIDCBrokerHTTP

extension ClientAddress {
    /// Creates the address of a connection's peer.
    /// - Returns: `nil` for a Unix domain socket, for an unknown address, and for an address outside the public
    ///   internet.
    public init?(_ address: SocketAddress?) {
        guard let address = IPAddress(address) else { return nil }
        self.init(address)
    }
}
