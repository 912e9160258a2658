// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix

/// A resolver that passes the addresses that ``HostLookups`` finds to one connection attempt.
final class HostResolver: Resolver, Sendable {
    private let addresses: EventLoopFuture<[SocketAddress]>

    /// - Parameter addresses: The addresses without a port, in the order of RFC 6724.
    init(_ addresses: EventLoopFuture<[SocketAddress]>) {
        self.addresses = addresses
    }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        addresses(of: .inet, port: port)
    }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        addresses(of: .inet6, port: port)
    }

    func cancelQueries() {}

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
