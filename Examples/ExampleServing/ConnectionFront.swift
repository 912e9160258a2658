// SPDX-License-Identifier: Apache-2.0

public import NIOCore
public import NIOHTTP2
public import NIOSSL

/// What stands in front of HTTP on each connection of a server on SwiftNIO.
public enum ConnectionFront {
    /// How long a connection may be silent.
    static let idleTimeout = TimeAmount.seconds(60)
    /// How long a response may take once the server has begun to end.
    static let drainTime = TimeAmount.seconds(10)

    /// Adds the end of silent connections, and TLS.
    public static func add(to channel: any Channel, tls: NIOSSLContext) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(IdleStateHandler(allTimeout: idleTimeout))
        try pipeline.addHandler(IdleConnectionHandler())
        try pipeline.addHandler(NIOSSLServerHandler(context: tls))
    }

    /// Makes the handler that ends a connection of HTTP/2 when its requests are done and the server drains.
    public static func makeHTTP2Life(on eventLoop: any EventLoop) -> NIOHTTP2ServerConnectionManagementHandler {
        NIOHTTP2ServerConnectionManagementHandler(
            eventLoop: eventLoop,
            configuration: .init(maxIdleTime: nil, maxAge: nil, maxGraceTime: drainTime, keepalive: nil))
    }

    /// The context of TLS for both versions of HTTP. The client chooses one by ALPN.
    /// - Throws: An error of TLS, such as for a certificate that cannot be read.
    public static func tls(_ configuration: TLSConfiguration) throws -> NIOSSLContext {
        var configuration = configuration
        configuration.applicationProtocols = NIOHTTP2SupportedALPNProtocols
        return try NIOSSLContext(configuration: configuration)
    }
}

/// A handler that closes the connection when nothing has been read or written for a while.
final class IdleConnectionHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = NIOAny

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }
}
