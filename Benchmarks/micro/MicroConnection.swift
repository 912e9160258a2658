// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import OIDCBroker
import OIDCBrokerNIO

/// The connection of a client in memory, with the channel handler and the parts of the standalone server's HTTP/1.1.
struct MicroConnection {
    private let channel: EmbeddedChannel

    init(to broker: MicroBroker, from address: SocketAddress) {
        channel = EmbeddedChannel(
            handler: BrokerChannelHandler<HTTP1ServerParts>(
                responder: broker.broker, logger: broker.logger, validatesAuthority: true, clientAddressing: .peer),
            loop: broker.eventLoop)
        channel.connect(to: address, promise: nil)
    }

    /// Sends a request.
    /// - Parameters:
    ///   - parts: The parts of the request, which one read brings.
    ///   - isCounted: Whether `count-instructions` counts it.
    /// - Returns: The head of the response.
    func send(_ parts: [HTTPServerRequestPart], isCounted: Bool) throws -> HTTPResponse {
        if isCounted { counted(parts) } else { receive(parts) }
        guard case .whole(let response, body: _)? = try channel.readOutbound(as: ServerResponsePart.self) else {
            throw MicroFailure("a response did not come at once and as a whole")
        }
        return response
    }

    /// The function whose instructions `count-instructions` counts, by this name.
    @inline(never)
    private func counted(_ parts: [HTTPServerRequestPart]) { receive(parts) }

    /// Passes on what one read brings, and runs the rest of the loop's turn, in which the broker responds.
    private func receive(_ parts: [HTTPServerRequestPart]) {
        let pipeline = channel.pipeline.syncOperations
        for part in parts { pipeline.fireChannelRead(NIOAny(part)) }
        pipeline.fireChannelReadComplete()
        channel.embeddedEventLoop.run()
    }

    /// Closes the connection.
    func close() { _ = try? channel.finish(acceptAlreadyClosed: true) }
}
