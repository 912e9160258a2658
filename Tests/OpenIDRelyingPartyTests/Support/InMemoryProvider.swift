// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDConnect
import OpenIDRelyingParty
import Synchronization

@testable import OIDCBrokerTesting

/// The OpenID Provider of `OIDCBrokerTesting` without its listener. That no transport follows a redirect is for the ones
/// on sockets to prove: `ProviderTransportTests`.
final class InMemoryProvider: ProviderTransport {
    /// A loopback issuer, to which plain http is allowed, so that plain http to another host stands out.
    let issuer = "http://127.0.0.1:8080"
    private let engine: ProviderEngine<ProviderState>
    private let strayRequests = Mutex<[String]>([])

    /// - Throws: An error of key generation.
    init(_ configuration: OpenIDProvider.Configuration) throws {
        engine = ProviderEngine(
            ProviderState(
                configuration: configuration,
                keys: try ProviderKeys(configuration.signingAlgorithm.algorithm, isShared: configuration.sharesKeys)))
        engine.update { $0.issuer = issuer }
    }

    /// Selects the misbehavior from the next request on.
    func set(_ misbehavior: Misbehavior) { engine.update { $0.settings.misbehavior = misbehavior } }

    /// Demands another nonce in DPoP proofs from the next request on.
    func demandDPoPNonce(_ nonce: String?) { engine.update { $0.dpopNonce = nonce } }

    /// The requests so far, the browser's among them, in their order.
    func recordedRequests() -> [OpenIDProvider.RecordedRequest] { engine.update { $0.recorded } }

    /// The requests to other origins, which got no response.
    var strays: [String] { strayRequests.withLock { $0 } }

    /// A browser opens a URL of the provider.
    ///
    /// - Returns: the target of the redirect; `nil` if the response is none.
    func visit(_ url: String) -> String? {
        guard url.hasPrefix(issuer + "/") else { return nil }
        let request = ReceivedRequest(
            method: "GET", target: String(url.dropFirst(issuer.count)), headers: [], body: [])
        return engine.respond(to: request).headers.first { $0.name == "location" }?.value
    }

    func execute(_ request: ProviderRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ProviderResponse> {
        guard request.url.origin == issuer else {
            strayRequests.withLock { $0.append(request.description) }
            return eventLoop.makeFailedFuture(ProviderTransportError.unreachable)
        }
        return engine.execute(request, on: eventLoop)
    }
}
