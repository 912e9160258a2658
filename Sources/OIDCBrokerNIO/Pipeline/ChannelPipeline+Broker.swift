// SPDX-License-Identifier: Apache-2.0

public import Logging
public import NIOCore
public import OIDCBroker

extension ChannelPipeline.SynchronousOperations {
    /// Adds the broker to an HTTP/1.1 connection, behind what `configureHTTPServerPipeline` added and before the
    /// application's own handlers.
    ///
    /// - Parameters:
    ///   - broker: Shared by all connections.
    ///   - logger: Logs refusals, at `debug`.
    ///   - peersAreProxies: Whether who connects is a proxy, and not the client.
    /// - Throws: What adding a handler throws, as on a closed channel.
    public func addBroker(_ broker: Broker, logger: Logger, peersAreProxies: Bool = false) throws {
        try self.addHandler(
            BrokerChannelHandler<HTTP1Parts>(broker: broker, logger: logger, peersAreProxies: peersAreProxies))
    }

    /// Adds the broker to an HTTP/2 stream's channel, behind `HTTP2FramePayloadToHTTPServerCodec` and before the
    /// application's own handlers; also to an HTTP/1.1 connection behind `HTTP1ToHTTPServerCodec`.
    ///
    /// - Parameters:
    ///   - broker: Shared by all streams.
    ///   - logger: Logs refusals, at `debug`.
    ///   - validatesAuthority: Whether the broker answers 421 to an authority other than its public URL's.
    ///   - peersAreProxies: Whether who connects is a proxy, and not the client.
    /// - Throws: What adding a handler throws, as on a closed channel.
    public func addBrokerToStream(
        _ broker: Broker, logger: Logger, validatesAuthority: Bool = false, peersAreProxies: Bool = false
    ) throws {
        try self.addHandler(
            BrokerChannelHandler<HTTPTypesParts>(
                broker: broker, logger: logger, validatesAuthority: validatesAuthority,
                peersAreProxies: peersAreProxies))
    }
}
