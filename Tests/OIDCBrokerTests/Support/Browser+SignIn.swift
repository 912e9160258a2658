// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import NIOEmbedded
import OIDCBrokerHTTP
import OIDCBrokerTesting
import OIDCBroker
import SignInWithAppleTesting
import Testing
import TestingSupport

extension Browser {
    /// The app sends the browser here, and it is sent on to a provider.
    mutating func start(_ app: AppClient = .shop) throws -> Location {
        try Location(try get(app.target()))
    }

    /// The provider sends the browser back by a GET.
    mutating func bring(
        _ response: [(String, String)], to path: String = Installation.handler
    ) throws -> BrokerResponse {
        try get(path + "?" + Query.encode(response))
    }

    /// The provider sends the browser back by a form.
    mutating func bringForm(
        _ response: [(String, String)], to path: String = Installation.handler
    ) throws -> BrokerResponse {
        let origin = installation.transport.apple == nil ? installation.provider.issuer : StubApple.issuer
        return try post(path, response, site: .crossSite, origin: origin)
    }

    /// Begins a sign-in and lets the user sign in: what comes back with the browser.
    mutating func authenticate(_ app: AppClient = .shop) throws -> [(String, String)] {
        let request = try start(app)
        return try installation.provider(at: request).signIn(request)
    }

    /// A whole sign-in, with "Continue to APP" where that is asked: where the app gets its response.
    mutating func signIn(_ app: AppClient = .shop) throws -> Location {
        var response = try bring(try authenticate(app))
        if response.status == 200 { response = try submit(response) }
        return try Location(response)
    }

    /// The provider sends the browser back by a GET; the response may come later.
    func bringWithoutWaiting(_ response: [(String, String)]) throws -> PendingResponse {
        let cookie = try #require(self.jar.field(now: installation.clock.now(), onlyNone: false))
        return PendingResponse(
            installation.broker.respond(
                to: BrokerRequest(
                    head: HTTPRequest(
                        method: .get, scheme: "https", authority: "auth.example.com",
                        path: Installation.handler + "?" + Query.encode(response), headerFields: [.cookie: cookie]),
                    client: client),
                on: installation.eventLoop))
    }
}

extension Installation {
    /// Brings a callback to where it waits for the provider's tokens, which come with `provider.answerWaiting()`.
    func waitingCallback() throws -> PendingResponse {
        provider.behave { $0.latePaths = ["/token"] }
        var browser = Browser(self)
        let response = try browser.authenticate()
        let pending = try browser.bringWithoutWaiting(response)
        eventLoop.run()
        return pending
    }
}
