// SPDX-License-Identifier: Apache-2.0

public import Logging
public import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPTypesHTTP1
import NIOHTTPTypesHTTP2
public import OIDCBroker

extension ChannelPipeline.SynchronousOperations {
    /// Adds the broker at the end of a pipeline, behind its HTTP codec and before the application's own handlers: of an
    /// HTTP/1.1 connection, or of an HTTP/2 stream.
    ///
    /// ```swift
    /// try channel.pipeline.syncOperations.configureHTTPServerPipeline()
    /// try channel.pipeline.syncOperations.addBroker(broker, logger: logger)
    /// try channel.pipeline.syncOperations.addHandler(ApplicationHandler())
    /// ```
    ///
    /// The codec in the pipeline decides the types of its parts: `HTTPServerRequestPart` behind NIO's
    /// decoder or `HTTP2FramePayloadToHTTP1ServerCodec`, `HTTPRequestPart` behind `HTTP1ToHTTPServerCodec` or
    /// `HTTP2FramePayloadToHTTPServerCodec`. Where another codec stands, add the handler that
    /// ``OIDCBroker/Broker/makeChannelHandler(parts:logger:validatesAuthority:clientAddressing:accessLogger:addsDate:)`` makes.
    ///
    /// - Parameters:
    ///   - broker: The broker, which all connections share.
    ///   - logger: Logs the outcome of each of the broker's requests on this connection, and at `debug` what is refused
    ///     before it reaches the broker; never a target, field or body.
    ///   - validatesAuthority: Whether the broker responds 421 to an authority other than its public URL's (RFC 9110
    ///     section 15.5.20). Turn it off if the connection also serves other hosts.
    ///   - clientAddressing: Where the address of the client comes from, to which the limits of one client apply.
    ///   - accessLogger: Logs a line at `info` for each of the broker's requests: method, path, status, bytes and time, the
    ///     outcome and the reference, never a query, a field or a body; `nil` for none.
    ///   - addsDate: Whether the broker's responses get the field `Date` (RFC 9110 section 6.6.1): where no other handler
    ///     of the server adds it.
    /// - Throws: ``BrokerPipelineError/codecNotFound``; what adding a handler throws, as on a closed channel.
    public func addBroker(
        _ broker: Broker, logger: Logger, validatesAuthority: Bool = false,
        clientAddressing: ClientAddressing = .publicPeer, accessLogger: Logger? = nil, addsDate: Bool = false
    ) throws {
        guard let parts = self.httpParts else { throw BrokerPipelineError.codecNotFound }
        try self.addHandler(
            broker.makeChannelHandler(
                parts: parts, logger: logger, validatesAuthority: validatesAuthority,
                clientAddressing: clientAddressing, accessLogger: accessLogger, addsDate: addsDate))
    }

    /// The parts that the codec of this pipeline makes; `nil` if none is known.
    private var httpParts: HTTPPartKind? {
        // The codecs to HTTPTypes stand behind NIO's own decoder, and so are asked for first.
        if self.has(HTTP1ToHTTPServerCodec.self) || self.has(HTTP2FramePayloadToHTTPServerCodec.self) {
            return .httpTypes
        }
        if self.has(ByteToMessageHandler<HTTPRequestDecoder>.self) || self.has(HTTP2FramePayloadToHTTP1ServerCodec.self)
        {
            return .http1
        }
        return nil
    }

    private func has(_ type: (some ChannelHandler).Type) -> Bool {
        (try? self.context(handlerType: type)) != nil
    }
}

/// The broker cannot be added to a pipeline.
public struct BrokerPipelineError: Error, Hashable, Sendable, CustomStringConvertible {
    private enum Code {
        case codecNotFound
    }

    private let code: Code

    /// No HTTP codec is in the pipeline yet, or one whose parts are not known.
    public static let codecNotFound = BrokerPipelineError(code: .codecNotFound)

    public var description: String {
        "the pipeline has no known HTTP codec: add one before the broker, or choose the parts with makeChannelHandler"
    }
}
