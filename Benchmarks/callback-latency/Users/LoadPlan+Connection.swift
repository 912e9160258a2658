// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import LatencyMeasurement
import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL

extension LoadPlan {
    /// Opens a connection of a user.
    ///
    /// - Parameters:
    ///   - eventLoop: The event loop of the caller, which will be that of the connection.
    ///   - delegate: Who is told what becomes of requests.
    ///   - isBrowser: Whether it is a browser, whose connections to the target another process makes.
    ///   - made: A closure that is called with the connection before it is connected.
    ///   - ended: A closure that is called when the connection can be used, or with the kind of the failure.
    func connect(
        on eventLoop: any EventLoop, delegate: any UserConnectionDelegate, isBrowser: Bool = false,
        made: @escaping (any UserConnection) -> Void, ended: @escaping (_ failure: String?) -> Void
    ) {
        let caller = NIOLoopBound((delegate: delegate, made: made), eventLoop: eventLoop)
        let bootstrap = ClientBootstrap(group: eventLoop)
            .channelOption(ChannelOptions.socketOption(.tcp_nodelay), value: 1)
            .connectTimeout(.seconds(5))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    caller.value.made(
                        try addConnection(to: channel, delegate: caller.value.delegate, isBrowser: isBrowser))
                }
            }
        if let source { _ = bootstrap.from(source) }
        bootstrap.connect(to: isBrowser ? browser?.address ?? address : address)
            .assumeIsolated()
            .whenComplete { result in
                switch result {
                case .success: ended(nil)
                case .failure(let error): ended(ConnectionFailure.kind(of: error))
                }
            }
    }

    /// Adds the handlers of a user's connection to a new channel, on its event loop.
    ///
    /// - Returns: The connection, which can be used when the channel is connected.
    private func addConnection(
        to channel: any Channel, delegate: any UserConnectionDelegate, isBrowser: Bool
    ) throws -> any UserConnection {
        let pipeline = channel.pipeline.syncOperations
        if let tls, !isBrowser {
            try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: nil))
        }
        guard isHTTP2, !isBrowser else {
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
