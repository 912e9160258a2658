// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import NIOPosix

/// A resolver that passes the addresses that ``HostLookups`` finds to one connection attempt.
package final class HostResolver: Resolver, Sendable {
    private let addresses: EventLoopFuture<[SocketAddress]>

    /// - Parameter addresses: The addresses without a port, in the order of RFC 6724.
    package init(_ addresses: EventLoopFuture<[SocketAddress]>) {
        self.addresses = addresses
    }

    /// Returns the IPv4 addresses.
    package func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        addresses(of: .inet, port: port)
    }

    /// Returns the IPv6 addresses.
    package func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        addresses(of: .inet6, port: port)
    }

    /// Does nothing: others may wait for the same lookup.
    package func cancelQueries() {}

    private func addresses(of family: NIOBSDSocket.ProtocolFamily, port: Int) -> EventLoopFuture<[SocketAddress]> {
        addresses.map { addresses in
            addresses.compactMap { address in
                guard address.protocol == family else { return nil }
                var address = address
                address.port = port
                return address
            }
        }
    }
}
