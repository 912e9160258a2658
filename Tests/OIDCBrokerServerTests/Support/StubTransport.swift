// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerConfiguration
import OpenIDRelyingParty
import Synchronization

/// A provider that responds when a test lets it.
final class StubTransport: ProviderTransport {
    /// A request that waits for its response.
    struct Waiting: Sendable {
        let request: ProviderRequest
        let response: EventLoopPromise<ProviderResponse>

        /// The provider cannot be reached.
        func fail() { response.fail(ProviderTransportError.unreachable) }

        /// The metadata of ``BrokerConfiguration/Provider/unreachable``.
        func succeedWithMetadata() {
            let issuer = BrokerConfiguration.Provider.unreachable.configuration.issuer
            let metadata: JSONObject = [
                "issuer": .string(issuer),
                "authorization_endpoint": .string(issuer + "/authorize"),
                "token_endpoint": .string(issuer + "/token"),
                "jwks_uri": .string(issuer + "/jwks"),
            ]
            response.succeed(
                ProviderResponse(
                    status: 200, contentType: "application/json", body: ByteBuffer(bytes: metadata.serialized())))
        }
    }

    /// No request came before the transport was given up.
    struct NoRequest: Error {}

    private let requests: AsyncStream<Waiting>
    private let continuation: AsyncStream<Waiting>.Continuation
    private let outstanding = Mutex<[EventLoopPromise<ProviderResponse>]>([])

    init() {
        (requests, continuation) = AsyncStream.makeStream(of: Waiting.self)
    }

    func execute(_ request: ProviderRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ProviderResponse> {
        let promise = eventLoop.makePromise(of: ProviderResponse.self)
        outstanding.withLock { $0.append(promise) }
        continuation.yield(Waiting(request: request, response: promise))
        return promise.futureResult
    }

    /// The next request; waits until the broker sends it.
    func next() async throws -> Waiting {
        for await waiting in requests { return waiting }
        throw NoRequest()
    }

    /// Fails the requests that a test left without a response.
    func giveUp() {
        continuation.finish()
        for promise in outstanding.withLock({ $0 }) { promise.fail(ProviderTransportError.interrupted) }
    }
}
