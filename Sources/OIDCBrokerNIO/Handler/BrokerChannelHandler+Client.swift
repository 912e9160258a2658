// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import OIDCBroker
import OIDCBrokerHTTP

// The address of the client.

extension BrokerChannelHandler {
    /// The address of the client whose request is under way; `nil` if it is not known.
    func client(_ context: ChannelHandlerContext) -> IPAddress? {
        switch self.peer(context) {
        case .client(let address): address
        case .proxy: self.current?.forwardedClient
        }
    }

    /// The client that a trusted proxy names in the head of a request; `nil` if the peer is no such proxy, or does not
    /// name one.
    func forwardedClient(_ head: Parts.RequestHead, _ context: ChannelHandlerContext) -> IPAddress? {
        guard case .proxy(let address, let field, let proxies) = self.peer(context) else { return nil }
        let lines = Parts.values(of: field.rawValue, in: head).map { Array($0.utf8) }
        let resolved = ForwardedClient.resolve(behind: address, lines: lines, field: field, trusted: proxies)
        if resolved.wasUnreadable { self.responder.countUnreadableForwarding() }
        return resolved.client
    }

    /// What the peer is, which is determined once for a connection: asking for its address takes a lock.
    func peer(_ context: ChannelHandlerContext) -> ClientAddressing.Peer {
        if let known = self.knownPeer { return known }
        let peer = self.clientAddressing.peer(context.channel.remoteAddress)
        self.knownPeer = peer
        return peer
    }
}
