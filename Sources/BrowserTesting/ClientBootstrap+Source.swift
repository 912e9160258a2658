// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import NIOPosix

extension ClientBootstrap {
    /// Binds connections to the address of a client.
    ///
    /// An IPv6 one is this machine's by a route alone, so that a socket is bound to it with IP_FREEBIND of Linux.
    package func from(_ source: SocketAddress) -> ClientBootstrap {
        guard source.protocol == .inet6 else { return bind(to: source) }
        return channelOption(ChannelOptions.ipOption(NIOBSDSocket.Option(rawValue: 15)), value: 1).bind(to: source)
    }
}
