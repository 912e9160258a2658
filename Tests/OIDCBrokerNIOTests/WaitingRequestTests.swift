// SPDX-License-Identifier: Apache-2.0

import Admission
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import OIDCBroker
import OIDCBrokerNIO
import OpenIDRelyingParty
import Synchronization
import Testing
import TestingSupport

/// What a request holds that waits for a provider, and the end of its connection.
struct WaitingRequestTests {
    /// A provider that answers no request until it is told to fail them.
    private final class LateTransport: ProviderTransport {
        private let waiting = Mutex<[EventLoopPromise<ProviderResponse>]>([])

        func execute(_ request: ProviderRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ProviderResponse> {
            let promise = eventLoop.makePromise(of: ProviderResponse.self)
            waiting.withLock { $0.append(promise) }
            return promise.futureResult
        }

        /// - Returns: The number of requests that failed.
        func fail() -> Int {
            let promises = waiting.withLock { waiting in
                let promises = waiting
                waiting = []
                return promises
            }
            for promise in promises { promise.fail(ProviderTransportError.unreachable) }
            return promises.count
        }
    }

    @Test(arguments: [false, true])
    func `it counts to its end, also when the client is gone`(isGone: Bool) throws {
        let transport = LateTransport()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let broker = try Broker.loopback(transport)
        let (channel, log) = (EmbeddedChannel(), Log())
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(ReadCounter())
        try pipeline.configureHTTPServerPipeline()
        try pipeline.addBroker(broker, logger: logger)
        try pipeline.addHandler(Application(log: log))
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/in-memory")).wait()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }

        let challenge = String(repeating: "A", count: 43)
        let target =
            "/__/auth/authorize?client_id=web&response_type=code&scope=openid&code_challenge_method=S256"
            + "&redirect_uri=http%3A%2F%2Flocalhost%3A8080%2Fapp&code_challenge=\(challenge)"
        try channel.writeInbound(ByteBuffer(string: "GET \(target) HTTP/1.1\r\nHost: localhost:8080\r\n\r\n"))
        channel.embeddedEventLoop.run()
        #expect(broker.memory.held(.requests) == HeldMemory.requestBytes)
        if isGone {
            // From the side of the socket.
            try pipeline.context(handlerType: ReadCounter.self).close(promise: nil)
            channel.embeddedEventLoop.run()
            #expect(!channel.isActive)
            #expect(broker.memory.held(.requests) == HeldMemory.requestBytes)
        }
        #expect(transport.fail() == 1)
        channel.embeddedEventLoop.run()
        #expect(broker.memory.held(.requests) == 0)
    }
}
