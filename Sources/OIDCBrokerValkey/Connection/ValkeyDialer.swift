// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import NIOSSL
import OpenIDRelyingParty
import OpenIDRelyingPartyNIO

/// Makes channels to servers and sentinels.
struct ValkeyDialer: Sendable {
    /// The time in which a connection must be made, before TLS and the first answer.
    static let connectTimeout = TimeAmount.milliseconds(250)

    /// The lookups of all stores of this process, each name once at a time. NIO's own resolver would queue a lookup for
    /// each try, and with unresponsive name servers never come to its end.
    static let sharedLookups = HostLookups(elapsed: SystemElapsedClock())

    private let lookups: HostLookups
    private let tls: NIOSSLContext?
    private let serverName: String?

    /// - Parameter lookups: The lookups of host names.
    init(_ configuration: ValkeyConfiguration, lookups: HostLookups = Self.sharedLookups) {
        self.lookups = lookups
        tls = configuration.tls
        serverName = configuration.serverName
    }

    /// Connects, and adds handlers once the connection is made. Nothing is read until the caller sets `autoRead`.
    /// - Parameter addHandlers: Adds the handlers after that of TLS. If it fails, the channel is closed.
    func dial(
        _ address: ValkeyAddress, on eventLoop: any EventLoop,
        _ addHandlers: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void
    ) -> EventLoopFuture<any Channel> {
        let name = nameForTLS(of: address)
        return connect(to: address, on: eventLoop).flatMapThrowing { channel -> any Channel in
            do {
                guard tls != nil || channel.remoteAddress?.isOfPrivateNetwork == true else {
                    throw ValkeyStoreError.notEncrypted
                }
                let pipeline = channel.pipeline.syncOperations
                if let tls { try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: name)) }
                try addHandlers(pipeline)
                return channel
            } catch {
                channel.close(promise: nil)
                throw error
            }
        }
    }

    private func connect(to address: ValkeyAddress, on eventLoop: any EventLoop) -> EventLoopFuture<any Channel> {
        let bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(Self.connectTimeout)
            // Several addresses may be tried at once. Only the channel of the successful attempt gets the handlers, and
            // nothing is read before they are added.
            .channelOption(.autoRead, value: false)
        switch address.kind {
        case .host(let host, let port):
            let addresses = lookups.addresses(of: host, owner: nil, on: eventLoop)
            return bootstrap.resolver(HostResolver(addresses)).connect(host: host, port: port)
        case .socket(let path): return bootstrap.connect(unixDomainSocketPath: path)
        }
    }

    /// The name to tell the server and to expect in its certificate; `nil` for an IP address, which TLS compares with
    /// the address of the connection.
    private func nameForTLS(of address: ValkeyAddress) -> String? {
        if let serverName { return serverName }
        guard case .host(let host, _) = address.kind else { return nil }
        let isIPAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
        return isIPAddress ? nil : host
    }
}
