// SPDX-License-Identifier: Apache-2.0

import JOSE
import Logging
import NIOCore
import NIOEmbedded
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OpenIDRelyingParty

/// A complete broker on the calling thread, without sockets and the HTTP client. Its keys and its time are always the
/// same, and its limits on who asks are those of a server by default, with a rate of the app besides.
struct MicroBroker {
    /// The authority of the public URL.
    static let authority = "127.0.0.1:8080"
    static let redirectURI = "https://app.example.com/callback"

    let eventLoop = EmbeddedEventLoop()
    let logger: Logger
    let provider: ProviderStandIn
    let broker: Broker

    /// - Parameters:
    ///   - endsSessions: Whether the provider has an end session endpoint.
    ///   - scheme: That of the public URL.
    init(endsSessions: Bool = false, scheme: String = "http") throws {
        provider = try ProviderStandIn(endsSessions: endsSessions)
        guard let url = PublicURL(scheme + "://" + Self.authority) else { throw MicroFailure("the public URL is none") }
        var app = BrokerConfiguration.App(name: "app", redirectURIs: [Self.redirectURI])
        app.requestsPerSecond = 1_000_000
        var configuration = BrokerConfiguration(
            publicURL: url,
            providers: [
                BrokerConfiguration.Provider(
                    name: "stand", issuer: ProviderStandIn.issuer, clientID: ProviderStandIn.clientID,
                    clientSecret: Secret("stand-in"))
            ],
            apps: [app])
        configuration.sealingKeys = [Secret(Base64.encode([UInt8](repeating: 7, count: 32)))]
        configuration.signingKeys = [Secret(MicroKeys.broker)]
        var logger = Logger(label: "callback-micro")
        logger.logLevel = .error
        self.logger = logger
        broker = try Broker(
            configuration: configuration, transport: provider, clock: StillClock(), elapsed: StillClock(),
            logger: logger)
    }

    /// Responds to a request as the channel handler has it.
    func response(to request: BrokerRequest) throws -> BrokerResponse {
        switch broker.respond(to: request, on: eventLoop) {
        case .value(let response):
            return response
        case .failure(let error):
            throw error
        case .future(let future):
            let box = Box()
            future.assumeIsolated().whenComplete { box.result = $0 }
            eventLoop.run()
            guard let result = box.result else { throw MicroFailure("a response did not come at once") }
            return try result.get()
        }
    }

    /// The storage for the result of a future.
    private final class Box {
        var result: Result<BrokerResponse, any Error>?
    }
}
