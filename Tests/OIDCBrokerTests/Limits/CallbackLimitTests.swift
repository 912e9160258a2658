// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import JOSE
import Logging
import HTTPTypes
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages
@testable import OIDCBrokerRecords

/// The limit on callbacks that wait for providers at once.
struct CallbackLimitTests {
    private func installation(_ maximum: Int, providers: [String] = ["acme"]) throws -> Installation {
        var limits = RequestLimits()
        limits.callbacks = maximum
        let installation = try Installation(providers: providers, requestLimits: limits)
        for (name, provider) in zip(providers, installation.providers) {
            // Metadata and keys are fetched while no request waits.
            var browser = Browser(installation)
            var app = AppClient.shop
            app.provider = name
            #expect(try browser.signIn(app)["code"] != nil)
            provider.behave { $0.latePaths = ["/token"] }
        }
        return installation
    }

    /// A callback that may wait, with the browser and what it brought.
    private struct Callback {
        let browser: Browser
        let parameters: [(String, String)]
        let pending: PendingResponse

        var response: BrokerResponse? { pending.response }
    }

    private func callback(_ installation: Installation, at provider: String = "acme") throws -> Callback {
        var browser = Browser(installation)
        var app = AppClient.shop
        app.provider = provider
        let parameters = try browser.authenticate(app)
        let pending = try browser.bringWithoutWaiting(parameters)
        installation.eventLoop.run()
        return Callback(browser: browser, parameters: parameters, pending: pending)
    }

    private func expectRefused(_ callback: Callback, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let response = try #require(callback.response, sourceLocation: sourceLocation)
        #expect(response.status == 503, sourceLocation: sourceLocation)
        #expect(response.heading == "Signing in is not possible right now", sourceLocation: sourceLocation)
        #expect(response.head.headerFields[.retryAfter] == "5", sourceLocation: sourceLocation)
        #expect(response.setCookies.isEmpty, sourceLocation: sourceLocation)
    }

    @Test func `as many wait as may; one more is refused before the claim, and the same URL signs in later`() throws {
        let installation = try installation(3)
        let waiting = try (0..<3).map { _ in try callback(installation) }
        #expect(waiting.allSatisfy { $0.response == nil })
        let asked = installation.provider.count("/token")
        let refused = try (0..<4).map { _ in try callback(installation) }
        for callback in refused { try expectRefused(callback) }
        let places = refused.map { $0.response?.body.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) } }
        #expect(Set(places).count == 1, "the page is rendered once, for any login")
        let written = installation.audit.lines.filter { $0.metadata["auth.outcome"] == "too_many_callbacks" }
        let reference = try #require(written.first?.metadata["auth.reference"])
        #expect(written.count == 1 && refused.allSatisfy { $0.response?.text.contains(reference) == true })
        #expect(installation.provider.count("/token") == asked)
        let line = try #require(installation.log.lines.first { $0.metadata["auth.outcome"] == "too_many_callbacks" })
        #expect(line.level == .warning)
        #expect(line.metadata["auth.provider"] == "oidc.acme")
        installation.provider.behave { $0.latePaths = [] }
        installation.provider.answerWaiting()
        installation.eventLoop.run()
        #expect(waiting.allSatisfy { $0.response?.status == 303 })
        for callback in refused {
            var browser = callback.browser
            #expect(try Location(try browser.bring(callback.parameters))["code"] != nil)
            #expect(try browser.bring(callback.parameters).heading == "This sign-in is finished or was interrupted")
        }
    }

    @Test func `of several providers one that does not respond takes half, and the other one signs in all the while`()
        throws
    {
        let installation = try installation(5, providers: ["acme", "globex"])
        installation.providers[1].behave { $0.latePaths = [] }
        let waiting = try (0..<3).map { _ in try callback(installation) }
        #expect(waiting.allSatisfy { $0.response == nil })
        try expectRefused(try callback(installation))
        for _ in 0..<10 { #expect(try callback(installation, at: "globex").response?.status == 303) }
        // If both do not respond, the limit is that of both.
        installation.providers[1].behave { $0.latePaths = ["/token"] }
        for _ in 0..<2 { #expect(try callback(installation, at: "globex").response == nil) }
        try expectRefused(try callback(installation, at: "globex"))
    }

    /// How a callback ends that had a place.
    enum End: CaseIterable {
        case success, refusedCode, unreachable, unavailable, error, invalidIDToken, repeated
    }

    @Test(arguments: End.allCases) func `every end gives the place back`(end: End) throws {
        let installation = try installation(1)
        let provider = installation.provider
        provider.behave { behavior in
            behavior.latePaths = []
            switch end {
            case .unreachable: behavior.deadPaths = ["/token"]
            case .unavailable: behavior.responses["/token"] = .json(["error": "server_error"], status: 500)
            case .invalidIDToken: behavior.claims = ["nonce": "another"]
            case .success, .refusedCode, .error, .repeated: break
            }
        }
        for _ in 0..<3 {
            var browser = Browser(installation)
            var parameters = try browser.authenticate()
            switch end {
            case .refusedCode: parameters = parameters.map { ($0.0, $0.0 == "code" ? "junk" : $0.1) }
            case .error: parameters = parameters.filter { $0.0 != "code" } + [("error", "access_denied")]
            default: break
            }
            let jar = browser.jar
            #expect(try browser.bring(parameters).status != 503, "\(end)")
            guard end == .repeated else { continue }
            browser.jar = jar
            #expect(try browser.bring(parameters).heading == "This sign-in is finished or was interrupted")
        }
        provider.behave {
            $0.deadPaths = []
            $0.responses = [:]
            $0.claims = [:]
        }
        var browser = Browser(installation)
        #expect(try browser.signIn()["code"] != nil)
    }

    @Test func `a place is held while metadata is fetched, too`() throws {
        var limits = RequestLimits()
        limits.callbacks = 1
        let installation = try Installation(requestLimits: limits)
        let path = "/jwks"
        installation.provider.behave { $0.latePaths = [path] }
        let first = try callback(installation)
        #expect(first.response == nil)
        try expectRefused(try callback(installation))
        installation.provider.behave { $0.latePaths = [] }
        installation.provider.answerWaiting()
        installation.eventLoop.run()
        #expect(first.response?.status == 303)
        #expect(try callback(installation).response?.status == 303)
    }

    @Test func `a change of the limit holds at once`() throws {
        let installation = try installation(1)
        #expect(try callback(installation).response == nil)
        try expectRefused(try callback(installation))
        var limits = RequestLimits()
        limits.callbacks = 2
        installation.broker.replaceRequestLimits(by: limits)
        #expect(try callback(installation).response == nil)
        try expectRefused(try callback(installation))
    }
}
