// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import JOSE
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SingleUse
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// An ID token that came through the browser is validated before the claim.
struct FrontChannelClaimTests {
    private static let modes: [(ResponseType, ResponseMode)] = [
        (.codeIDToken, .formPost), (.codeIDToken, .fragment), (.idToken, .formPost), (.idToken, .fragment),
    ]

    private static func installation(
        _ type: ResponseType = .codeIDToken, _ mode: ResponseMode = .formPost,
        store: (any SingleUseStore)? = nil
    ) throws -> Installation {
        try Installation(store: store) {
            $0.providers[0].configuration.responseType = type
            $0.providers[0].configuration.responseMode = mode
        }
    }

    private static func bring(
        _ response: [(String, String)], _ mode: ResponseMode, _ browser: inout Browser
    ) throws -> BrokerResponse {
        mode == .fragment ? try browser.bringFragment(response) : try browser.bringForm(response)
    }

    /// The callback with another ID token in its place.
    private static func with(_ idToken: (String) -> String, in response: [(String, String)]) -> [(String, String)] {
        response.map { $0.0 == "id_token" ? ($0.0, idToken($0.1)) : $0 }
    }

    /// The token of another login, the same claims unsigned, with an invalid signature, and a text that is not a token.
    private static func forgeries(of response: [(String, String)], other: String) -> [[(String, String)]] {
        let unsigned = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))
        return [
            with({ _ in other }, in: response),
            with({ unsigned + "." + $0.split(separator: ".")[1] + "." }, in: response),
            with(
                { $0.split(separator: ".").prefix(2).joined(separator: ".") + "." + String(repeating: "A", count: 86) },
                in: response),
            with({ _ in "e.e.e" }, in: response),
        ]
    }

    @Test(
        arguments: modes)
    func `one that is not the provider's for this login leaves no claim, and the true one still signs in, once`(
        type: ResponseType, mode: ResponseMode
    ) throws {
        let store = InMemorySingleUseStore(capacity: 1)
        let installation = try Self.installation(type, mode, store: store)
        var browser = Browser(installation)
        let other = try #require(try browser.authenticate().first { $0.0 == "id_token" }).1
        let response = try browser.authenticate()
        let jar = browser.jar
        for forged in Self.forgeries(of: response, other: other) {
            browser.jar = jar
            #expect(try Location(try Self.bring(forged, mode, &browser))["error"] == "server_error")
        }
        #expect(installation.provider.count("/token") == 0)
        // The one place of the store is still free; and then it is taken.
        browser.jar = jar
        #expect(try Location(try Self.bring(response, mode, &browser))["code"] != nil)
        for again in [response] + Self.forgeries(of: response, other: other) {
            browser.jar = jar
            #expect(try Self.bring(again, mode, &browser).heading == "This sign-in is finished or was interrupted")
        }
        #expect(installation.provider.count("/token") == (type == .codeIDToken ? 1 : 0))
        let next = try browser.authenticate()
        #expect(try Location(try Self.bring(next, mode, &browser))["error"] == "temporarily_unavailable")
    }

    @Test func `one with a code that is not its own leaves no claim either`() throws {
        let installation = try Self.installation(store: InMemorySingleUseStore(capacity: 1))
        var browser = Browser(installation)
        for _ in 0..<3 {
            let response = try browser.authenticate().map { $0.0 == "code" ? ("code", "x") : $0 }
            #expect(try Location(try browser.bringForm(response))["error"] == "server_error")
        }
        #expect(installation.provider.count("/token") == 0)
        #expect(try Location(try browser.bringForm(try browser.authenticate()))["code"] != nil)
    }

    @Test func `unavailable keys: the callback leaves no claim`() throws {
        let installation = try Self.installation(store: InMemorySingleUseStore(capacity: 1))
        installation.provider.behave { $0.deadPaths = ["/jwks"] }
        var browser = Browser(installation)
        let response = try browser.authenticate()
        let jar = browser.jar
        #expect(try Location(try browser.bringForm(response))["error"] == "temporarily_unavailable")
        installation.provider.behave { $0.deadPaths = [] }
        installation.clock.advance(by: 60)
        browser.jar = jar
        #expect(try Location(try browser.bringForm(response))["code"] != nil)
    }

    /// A callback whose response may come later.
    private func post(_ response: [(String, String)], _ browser: Browser) throws -> PendingResponse {
        let installation = browser.installation
        return PendingResponse(
            installation.broker.respond(
                to: BrokerRequest(
                    head: HTTPRequest(
                        method: .post, scheme: "https", authority: "auth.example.com", path: Installation.handler,
                        headerFields: [
                            .contentType: "application/x-www-form-urlencoded",
                            .cookie: try #require(browser.jar.field(now: installation.clock.now(), onlyNone: true)),
                        ]),
                    body: ByteBuffer(string: Query.encode(response))),
                on: installation.eventLoop))
    }

    @Test(arguments: [ResponseType.codeIDToken, .idToken])
    func `concurrent callbacks that wait for the keys: one signs in`(type: ResponseType) throws {
        let installation = try Self.installation(type)
        installation.provider.behave { $0.latePaths = ["/jwks"] }
        var browser = Browser(installation)
        let response = try browser.authenticate()
        let pending = try (0..<5).map { _ in try post(response, browser) }
        #expect(pending.allSatisfy { $0.response == nil })
        installation.provider.answerWaiting()
        installation.eventLoop.run()
        let responses = pending.compactMap(\.response)
        #expect(responses.count { $0.status == 303 } == 1)
        #expect(responses.count { $0.heading == "This sign-in is finished or was interrupted" } == 4)
        #expect(installation.provider.count("/token") == (type == .codeIDToken ? 1 : 0))
    }

    @Test func `a login that ends while the keys are waited for is over: no claim would be kept of it`() throws {
        let installation = try Self.installation()
        let later = installation.clock.now() + 3600
        installation.provider.behave {
            $0.latePaths = ["/jwks"]
            $0.frontChannelClaims = ["exp": .number(JSONNumber(later))]
        }
        var browser = Browser(installation)
        let pending = try post(try browser.authenticate(), browser)
        installation.clock.advance(by: 600)
        installation.provider.answerWaiting()
        installation.eventLoop.run()
        #expect(pending.response?.status == 400)
        #expect(installation.log.outcomes == ["expired"])
        #expect(installation.provider.count("/token") == 0)
    }

    @Test func `forged ones, again and again: one line a second`() throws {
        let installation = try Self.installation()
        installation.provider.behave { $0.frontChannelKey = installation.provider.strangeKey }
        var browser = Browser(installation)
        for _ in 0..<5 { _ = try browser.bringForm(try browser.authenticate()) }
        #expect(installation.log.outcomes == ["failed_id_token"])
        installation.clock.advance(by: 1)
        _ = try browser.bringForm(try browser.authenticate())
        #expect(installation.log.outcomes.count == 2)
        #expect(installation.log.lines.last?.metadata["auth.repeated"] == "4")
    }
}
