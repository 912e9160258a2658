// SPDX-License-Identifier: Apache-2.0

public import Logging
public import NIOCore
public import OIDCBroker

extension Broker {
    /// Makes a handler that responds to the broker's own requests and passes on everything else, for one HTTP/1.1
    /// connection or one HTTP/2 stream; for frameworks that take handlers and build the pipeline themselves.
    ///
    /// A request is the broker's if its path, byte for byte as received, is (`/__/auth/...`; nothing is decoded before
    /// it is compared). The handler may be removed from the pipeline at any time; it leaves when its own response is
    /// written.
    ///
    /// - Parameters:
    ///   - parts: The types of the pipeline's parts.
    ///   - logger: Logs the outcome of each of the broker's requests on this connection, and at `debug` what is refused
    ///     before it reaches the broker; never a target, field or body.
    ///   - validatesAuthority: Whether the broker responds 421 to an authority other than its public URL's (RFC 9110
    ///     section 15.5.20). Not where other hosts are served on the same connection.
    ///   - clientAddressing: Where the address of the client comes from, to which the limits of one client apply.
    ///   - accessLogger: Logs a line at `info` for each of the broker's requests; `nil` for none.
    ///   - addsDate: Whether the broker's responses get the field `Date` (RFC 9110 section 6.6.1): where no other handler
    ///     of the server adds it.
    /// - Returns: A new handler, which stands behind the HTTP codec and before the application's handlers.
    public func makeChannelHandler(
        parts: HTTPPartKind, logger: Logger, validatesAuthority: Bool = false,
        clientAddressing: ClientAddressing = .publicPeer, accessLogger: Logger? = nil, addsDate: Bool = false
    ) -> any ChannelDuplexHandler & RemovableChannelHandler {
        switch parts.code {
        case .http1:
            BrokerChannelHandler<HTTP1Parts>(
                responder: self, logger: logger, validatesAuthority: validatesAuthority,
                clientAddressing: clientAddressing, accessLogger: accessLogger,
                addsDate: addsDate)
        case .httpTypes:
            BrokerChannelHandler<HTTPTypesParts>(
                responder: self, logger: logger, validatesAuthority: validatesAuthority,
                clientAddressing: clientAddressing, accessLogger: accessLogger,
                addsDate: addsDate)
        }
    }
}
