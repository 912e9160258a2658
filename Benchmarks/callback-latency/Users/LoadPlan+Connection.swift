// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore
import NIOHTTP2
import NIOSSL

extension LoadPlan {
    /// Adds the handlers of a user's connection to a new channel, on its event loop.
    ///
    /// - Returns: The connection, which can be used when the channel is connected.
    func addConnection(
        to channel: any Channel, delegate: any UserConnectionDelegate
    ) throws -> any UserConnection {
        let pipeline = channel.pipeline.syncOperations
        if let tls {
            try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: nil))
        }
        guard isHTTP2 else {
            let handler = HTTP1Connection(host: target.host, delegate: delegate)
            try pipeline.addHandler(handler)
            return handler
        }
        let multiplexer = try pipeline.configureHTTP2Pipeline(
            mode: .client,
            connectionConfiguration: NIOHTTP2Handler.ConnectionConfiguration(),
            streamConfiguration: NIOHTTP2Handler.StreamConfiguration(),
            inboundStreamInitializer: { stream in
                // Server push was not requested.
                stream.close()
            })
        let handler = HTTP2Connection(host: target.host, delegate: delegate, multiplexer: multiplexer)
        try pipeline.addHandler(handler)
        return handler
    }
}
