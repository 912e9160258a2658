// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty

// The span of a proxy.

extension BrokerChannelHandler {
    /// What a trusted proxy tells of its span in the head of a request; `nil` if the peer is none, or tells nothing
    /// that can be read. Any other client could choose which requests are recorded, and place them in the traces of
    /// others.
    func traceFields(_ head: Parts.RequestHead, _ context: ChannelHandlerContext) -> TraceFields? {
        guard self.isTrustedProxy(context) else { return nil }
        return TraceFields(
            parentLines: Parts.values(of: TraceFields.parentName, in: head),
            stateLines: Parts.values(of: TraceFields.stateName, in: head))
    }

    private func isTrustedProxy(_ context: ChannelHandlerContext) -> Bool {
        if let known = self.isKnownProxy { return known }
        let isProxy = self.clientAddressing.believesSpan(of: context.channel.remoteAddress)
        self.isKnownProxy = isProxy
        return isProxy
    }
}
