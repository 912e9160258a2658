// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Closes a connection that ended up at an address that is not allowed, before a byte is sent, TLS's included. The
/// first handler of its pipeline; leaves it where the address is allowed.
final class ConnectedAddressHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let addresses: ProviderTrust.Addresses

    init(addresses: ProviderTrust.Addresses) {
        self.addresses = addresses
    }

    func channelActive(context: ChannelHandlerContext) {
        guard ConnectedAddress.isAllowed(context.remoteAddress, addresses) else {
            context.fireErrorCaught(ProviderTransportError.addressRefused)
            return context.close(promise: nil)
        }
        context.fireChannelActive()
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
}

@available(*, unavailable)
extension ConnectedAddressHandler: Sendable {}
