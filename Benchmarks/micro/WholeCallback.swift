// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Logging
import NIOCore
import NIOEmbedded
import OIDCBroker
import OpenIDConnect
import OpenIDRelyingParty

/// Logins through a complete broker on the calling thread, without sockets and the HTTP client.
struct WholeCallback {
    private static let publicURL = "http://127.0.0.1:8080"
    static let redirectURI = "https://app.example.com/callback"
    private static let startPath =
        "/__/auth/authorize?client_id=app&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback&response_type=code"
        + "&scope=openid&state=s-0123456789&nonce=n-0123456789&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        + "&code_challenge_method=S256"

    private let eventLoop = EmbeddedEventLoop()
    private let provider: ProviderStandIn
    private let broker: Broker

    init() throws {
        provider = try ProviderStandIn()
        guard let url = PublicURL(Self.publicURL) else { throw MicroFailure("the public URL is none") }
        var configuration = BrokerConfiguration(
            publicURL: url,
            providers: [
                BrokerConfiguration.Provider(
                    name: "stand", issuer: ProviderStandIn.issuer, clientID: ProviderStandIn.clientID,
                    clientSecret: Secret("stand-in"))
            ],
            apps: [BrokerConfiguration.App(name: "app", redirectURIs: [Self.redirectURI])])
        configuration.makeMissingKeys()
        var logger = Logger(label: "callback-micro")
        logger.logLevel = .error
        broker = try Broker(configuration: configuration, transport: provider, logger: logger)
    }

    /// Begins logins, and completes those whose browser returns.
    func run(_ iterations: Int, comesBack: Bool) throws -> Int {
        var sum = 0
        for _ in 0..<iterations {
            let start = try response(to: request(Self.startPath, cookie: nil))
            guard let location = start.head.headerFields[.location],
                let cookie = start.head.headerFields[.setCookie]?.prefix(while: { $0 != ";" })
            else { throw MicroFailure("a start was answered \(start.head.status.code)") }
            let target = try provider.signIn(location)
            sum += target.utf8.count
            guard comesBack else { continue }
            let end = try response(to: request(target, cookie: String(cookie)))
            guard let handOff = end.head.headerFields[.location], handOff.hasPrefix(Self.redirectURI + "?"),
                handOff.contains("code=")
            else { throw MicroFailure("a callback was answered \(end.head.status.code)") }
            sum += handOff.utf8.count
        }
        return sum
    }

    private func request(_ path: String, cookie: String?) -> BrokerRequest {
        var head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:8080", path: path)
        if let cookie { head.headerFields[.cookie] = cookie }
        return BrokerRequest(head: head)
    }

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
