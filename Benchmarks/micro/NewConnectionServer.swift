// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import OIDCBrokerServer

/// The server's end of a connection in memory, with the pipeline of a server with the default configuration.
struct NewConnectionServer {
    /// What happens to the connection.
    enum Step {
        /// It is accepted.
        case opened(from: SocketAddress)
        /// One read brings bytes.
        case received(ByteBuffer)
        /// It ends.
        case ended
    }

    private let initializer: ConnectionInitializer
    private let channel: EmbeddedChannel

    init(_ initializer: ConnectionInitializer, on eventLoop: EmbeddedEventLoop) {
        self.initializer = initializer
        channel = EmbeddedChannel(loop: eventLoop)
    }

    /// Does what the server does then.
    /// - Parameters:
    ///   - step: What happened.
    ///   - isCounted: Whether `count-instructions` counts it.
    func take(_ step: Step, isCounted: Bool) throws {
        if isCounted { try counted(step) } else { try run(step) }
    }

    /// The next bytes for the client; `nil` if there are none.
    func next() throws -> ByteBuffer? { try channel.readOutbound() }

    /// The function whose instructions `count-instructions` counts, by this name.
    @inline(never)
    private func counted(_ step: Step) throws { try run(step) }

    private func run(_ step: Step) throws {
        switch step {
        case .opened(let address):
            channel.remoteAddress = address
            try initializer.initialize(channel).wait()
            channel.connect(to: address, promise: nil)
        case .received(let bytes):
            channel.pipeline.fireChannelRead(bytes)
            channel.pipeline.fireChannelReadComplete()
        case .ended:
            _ = try channel.finish(acceptAlreadyClosed: true)
        }
        channel.embeddedEventLoop.run()
    }
}
