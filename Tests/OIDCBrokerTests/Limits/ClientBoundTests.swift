// SPDX-License-Identifier: Apache-2.0

import Admission
import BrowserTesting
import HTTPTypes
import JOSE
import Logging
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
@testable import OIDCBrokerState

/// The limits of one client address, at the entry point.
struct ClientBoundTests {
    private static let stranger = IPAddress("198.51.100.7")
    private static let person = IPAddress("203.0.113.9")

    private func installation(
        _ limit: (inout ClientLimits) -> Void = { _ in }, configure: (inout BrokerConfiguration) -> Void = { _ in }
    ) throws -> Installation {
        var limits = ClientLimits()
        limit(&limits)
        return try Installation(clientLimits: limits, configure: configure)
    }

    /// A callback with a code that the provider never issued.
    private func junk(
        _ installation: Installation, from address: IPAddress?
    ) throws -> BrokerResponse {
        var browser = Browser(installation)
        browser.client = address
        let response = try browser.authenticate().map { ($0.0, $0.0 == "code" ? "junk" : $0.1) }
        return try browser.bring(response)
    }

    private func signIn(_ installation: Installation, from address: IPAddress?) throws -> Bool {
        var browser = Browser(installation)
        browser.client = address
        return try browser.signIn()["code"] != nil
    }

    @Test
    func `the failures of one address are shed beyond the rate, before the provider; others sign in all the while`()
        throws
    {
        let installation = try self.installation()
        for _ in 0..<30 { #expect(try junk(installation, from: Self.stranger).status == 303) }
        #expect(installation.provider.count("/token") == 30)
        var pages: Set<UInt> = []
        for _ in 0..<20 {
            let response = try junk(installation, from: Self.stranger)
            pages.insert(response.body.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) })
            #expect(response.status == 429)
            #expect(response.head.headerFields[.retryAfter] == "60")
            #expect(response.setCookies.isEmpty)
        }
        #expect(pages.count == 1, "the page is rendered once")
        #expect(installation.provider.count("/token") == 30)
        #expect(try signIn(installation, from: Self.person))
        #expect(try signIn(installation, from: nil))
        let shed = installation.log.lines.filter { $0.metadata["auth.outcome"] == "too_many_from_address" }
        // Of a kind of line one is written in a second.
        #expect(shed.count == 1)
        #expect(shed.allSatisfy { $0.level == .info })
        // Another client at that address waits, and then signs in.
        installation.clock.advance(by: 60)
        #expect(try signIn(installation, from: Self.stranger))
    }

    @Test(arguments: ["10.0.0.7", "100.64.0.7", "fd00::7"])
    func `the client that the server names has these limits, in a private network too`(text: String) throws {
        let installation = try self.installation { $0.failures = 2 }
        let client = try #require(IPAddress(text))
        for _ in 0..<2 { #expect(try junk(installation, from: client).status == 303) }
        #expect(try junk(installation, from: client).status == 429)
        #expect(try signIn(installation, from: Self.person))
        for _ in 0..<3 { #expect(try junk(installation, from: IPAddress("127.0.0.1")).status == 303) }
    }

    @Test func `who is shed uses nothing up: the same URL signs in a minute later`() throws {
        let installation = try self.installation { $0.failures = 1 }
        var browser = Browser(installation)
        browser.client = Self.stranger
        let response = try browser.authenticate()
        _ = try junk(installation, from: Self.stranger)
        #expect(try browser.bring(response).status == 429)
        #expect(!browser.jar.cookies.isEmpty)
        installation.clock.advance(by: 60)
        #expect(try Location(try browser.bring(response))["code"] != nil)
    }

    @Test func `successful sign-ins are not failures, however many`() throws {
        let installation = try self.installation { $0.failures = 2 }
        for _ in 0..<10 { #expect(try signIn(installation, from: Self.stranger)) }
    }

    @Test func `without an address, as on loopback, nothing is ever shed`() throws {
        let installation = try self.installation { limits in
            (limits.exchanges, limits.claims, limits.failures) = (1, 1, 1)
        }
        for _ in 0..<40 { #expect(try junk(installation, from: nil).status == 303) }
        #expect(installation.provider.count("/token") == 40)
    }

    @Test func `an unreachable provider is not a client's failure`() throws {
        let installation = try self.installation { $0.failures = 2 }
        installation.provider.behave { $0.deadPaths = ["/token"] }
        for _ in 0..<5 { #expect(try junk(installation, from: Self.stranger).status == 303) }
        // The circuit is open now, for all clients and not for this address.
        for _ in 0..<5 { #expect(try junk(installation, from: Self.stranger).status == 503) }
    }

    @Test func `failures at one provider do not affect another`() throws {
        var limits = ClientLimits()
        limits.failures = 1
        let installation = try Installation(providers: ["acme", "other"], clientLimits: limits)
        func bring(_ provider: String, _ code: String?) throws -> BrokerResponse {
            var browser = Browser(installation)
            browser.client = Self.stranger
            var app = AppClient.shop
            app.provider = provider
            let response = try browser.authenticate(app).map { ($0.0, $0.0 == "code" ? code ?? $0.1 : $0.1) }
            return try browser.bring(response)
        }
        _ = try bring("acme", "junk")
        #expect(try bring("acme", nil).status == 429)
        #expect(try Location(try bring("other", nil))["code"] != nil)
    }

    @Test func `claims of one address are bounded, and others are not; refused callbacks leave none`() throws {
        let store = InMemorySingleUseStore(capacity: 8)
        var limits = ClientLimits()
        limits.claims = 5
        let installation = try Installation(store: store, clientLimits: limits)
        for _ in 0..<5 { #expect(try junk(installation, from: Self.stranger).status == 303) }
        for _ in 0..<20 { #expect(try junk(installation, from: Self.stranger).status == 429) }
        // Three of eight claims remain for all others.
        for _ in 0..<3 { #expect(try signIn(installation, from: Self.person)) }
        #expect(installation.log.lines.contains { $0.metadata["auth.detail"] == "\"logins whose callback came\"" })
    }

    @Test func `a repeated callback leaves no second claim`() throws {
        let installation = try self.installation { $0.claims = 2 }
        var browser = Browser(installation)
        browser.client = Self.stranger
        let response = try browser.authenticate()
        let jar = browser.jar
        #expect(try browser.bring(response).status == 303)
        for _ in 0..<10 {
            browser.jar = jar
            #expect(try browser.bring(response).heading == "This sign-in is finished or was interrupted")
        }
        #expect(try signIn(installation, from: Self.stranger))
    }

    @Test func `concurrent callbacks of an address are bounded; each that ends allows another`() throws {
        let installation = try self.installation { $0.exchanges = 2 }
        installation.provider.behave { $0.latePaths = ["/token"] }
        func bring(_ address: IPAddress?) throws -> PendingResponse {
            var browser = Browser(installation)
            browser.client = address
            let response = try browser.authenticate()
            return try browser.bringWithoutWaiting(response)
        }
        // Metadata and keys are fetched before any request waits for them.
        let waiting = try [bring(Self.stranger), bring(Self.stranger)]
        installation.eventLoop.run()
        #expect(waiting.allSatisfy { $0.response == nil })
        let shed = try bring(Self.stranger)
        installation.eventLoop.run()
        #expect(shed.response?.status == 429)
        #expect(shed.response?.head.headerFields[.retryAfter] == "5")
        let others = try [bring(Self.person), bring(nil), bring(nil), bring(nil)]
        installation.eventLoop.run()
        #expect(others.allSatisfy { $0.response == nil })
        installation.provider.answerWaiting()
        installation.eventLoop.run()
        #expect((waiting + others).allSatisfy { $0.response?.status == 303 })
        installation.provider.behave { $0.latePaths = [] }
        for _ in 0..<3 { #expect(try signIn(installation, from: Self.stranger)) }
    }

    @Test func `pushed starts that fail are counted, and the app is told; the provider is not asked any more`() throws {
        let installation = try self.installation {
            $0.failures = 3
        } configure: {
            $0.providers[0].configuration.pushedAuthorization = true
        }
        installation.provider.behave { behavior in
            let endpoint = installation.provider.issuer + "/par"
            behavior.metadata = ["pushed_authorization_request_endpoint": .string(endpoint)]
            behavior.responses["/par"] = .json(["error": "temporarily_unavailable"], status: 503)
        }
        func start(_ address: IPAddress?) throws -> Location {
            var browser = Browser(installation)
            browser.client = address
            return try browser.start()
        }
        for _ in 0..<10 { #expect(try start(Self.stranger)["error"] == "temporarily_unavailable") }
        #expect(installation.provider.count("/par") == 3)
        installation.provider.behave { $0.responses["/par"] = nil }
        #expect(try start(Self.person)["request_uri"] != nil)
        #expect(try start(nil)["request_uri"] != nil)
        #expect(try start(Self.stranger)["error"] == "temporarily_unavailable")
        let lines = installation.log.lines.filter { $0.metadata["auth.outcome"] == "too_many_from_address" }
        #expect(lines.map(\.message) == ["sign-in failed: too many attempts from this client address"])
        installation.clock.advance(by: 60)
        #expect(try start(Self.stranger)["request_uri"] != nil)
    }

    @Test(
        arguments: [3600, -3600, 86_400, -86_400, 315_360_000, -315_360_000] as [Int64])
    func `a wall clock that is set lengthens and shortens no wait`(seconds: Int64) throws {
        let installation = try self.installation { $0.failures = 1 }
        _ = try junk(installation, from: Self.stranger)
        installation.clock.step(by: seconds)
        #expect(try junk(installation, from: Self.stranger).status == 429)
        installation.clock.advance(by: 60)
        #expect(try signIn(installation, from: Self.stranger))
    }

    @Test func `claims are counted for the lifetime of a login`() {
        #expect(ClientLimits().claimTurn == LoginState.lifetime)
    }

    @Test func `what a client can have caused is a failure of its; that a provider cannot be reached is none`() {
        let mine: [RelyingPartyError] = [
            .status(.token, 500), .status(.pushedAuthorization, 429), .transport(.token, .timedOut),
            .transport(.token, .interrupted), .unusable(.token, "failed"),
            .provider(.token, ProviderError(code: "invalid_grant", description: nil)),
        ]
        #expect(mine.allSatisfy { $0.isFailedExchange })
        let notMine: [RelyingPartyError] = [
            .transport(.token, .unreachable), .transport(.pushedAuthorization, .circuitOpen),
            .transport(.token, .tooManyWaiting),
            .transport(.token, .connectTimedOut), .transport(.token, .untrusted), .transport(.discovery, .timedOut),
            .status(.keySet, 500), .unusable(.idToken, "a reason"), .issuerMismatch,
        ]
        #expect(notMine.allSatisfy { !$0.isFailedExchange })
    }
}
