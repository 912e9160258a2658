// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Logging
import NIOEmbedded
import OIDCBrokerTesting
import Testing

@testable import OIDCBroker

@Suite("Issue 18: one client address, at the entry point")
struct ClientBoundTests {
    private static let stranger = ClientAddress(bytes: [198, 51, 100, 7])
    private static let person = ClientAddress(bytes: [203, 0, 113, 9])

    private func installation(
        _ limit: (inout ClientLimits) -> Void = { _ in }, configure: (inout BrokerConfiguration) -> Void = { _ in }
    ) throws -> Installation {
        var limits = ClientLimits()
        limit(&limits)
        return try Installation(clientLimits: limits, configure: configure)
    }

    /// A return with a code that the provider never gave out.
    private func junk(
        _ installation: Installation, from address: ClientAddress?
    ) throws -> BrokerResponse {
        var browser = Browser(installation)
        browser.clientAddress = address
        let answer = try browser.authenticate().map { ($0.0, $0.0 == "code" ? "junk" : $0.1) }
        return try browser.bring(answer)
    }

    private func signIn(_ installation: Installation, from address: ClientAddress?) throws -> Bool {
        var browser = Browser(installation)
        browser.clientAddress = address
        return try browser.signIn()["code"] != nil
    }

    @Test("the failures of one address are shed beyond the rate, before the provider; others sign in all the while")
    func failures() throws {
        let installation = try self.installation()
        for _ in 0..<30 { #expect(try junk(installation, from: Self.stranger).status == 303) }
        #expect(installation.provider.count("/token") == 30)
        for _ in 0..<20 {
            let response = try junk(installation, from: Self.stranger)
            #expect(response.status == 429)
            #expect(response.head.headerFields[.retryAfter] == "60")
            #expect(response.setCookies.isEmpty)
        }
        #expect(installation.provider.count("/token") == 30)
        #expect(try signIn(installation, from: Self.person))
        #expect(try signIn(installation, from: nil))
        let shed = installation.log.lines.filter { $0.metadata["auth.outcome"] == "too_many_from_address" }
        #expect(shed.count == 1)
        #expect(shed.first?.level == .info)
        // Whoever else is behind that address waits, and signs in.
        installation.clock.advance(by: 60)
        #expect(try signIn(installation, from: Self.stranger))
    }

    @Test("who is shed uses nothing up: the same URL signs in a minute later")
    func again() throws {
        let installation = try self.installation { $0.failures = 1 }
        var browser = Browser(installation)
        browser.clientAddress = Self.stranger
        let answer = try browser.authenticate()
        _ = try junk(installation, from: Self.stranger)
        #expect(try browser.bring(answer).status == 429)
        #expect(!browser.jar.cookies.isEmpty)
        installation.clock.advance(by: 60)
        #expect(try Location(try browser.bring(answer))["code"] != nil)
    }

    @Test("sign-ins that succeed are no failures, however many")
    func successes() throws {
        let installation = try self.installation { $0.failures = 2 }
        for _ in 0..<10 { #expect(try signIn(installation, from: Self.stranger)) }
    }

    @Test("without an address, as on loopback, nothing is ever shed")
    func unknown() throws {
        let installation = try self.installation { limits in
            (limits.exchanges, limits.marks, limits.failures) = (1, 1, 1)
        }
        for _ in 0..<40 { #expect(try junk(installation, from: nil).status == 303) }
        #expect(installation.provider.count("/token") == 40)
    }

    @Test("a provider that can not be reached is nobody's failure")
    func unreachable() throws {
        let installation = try self.installation { $0.failures = 2 }
        installation.provider.behave { $0.deadPaths = ["/token"] }
        for _ in 0..<5 { #expect(try junk(installation, from: Self.stranger).status == 303) }
        // It is left alone now: of everybody, not of this address.
        for _ in 0..<5 { #expect(try junk(installation, from: Self.stranger).status == 503) }
    }

    @Test("failures at one provider keep nobody from another")
    func providers() throws {
        var limits = ClientLimits()
        limits.failures = 1
        let installation = try Installation(providers: ["acme", "other"], clientLimits: limits)
        func bring(_ provider: String, _ code: String?) throws -> BrokerResponse {
            var browser = Browser(installation)
            browser.clientAddress = Self.stranger
            var app = AppClient.shop
            app.provider = provider
            let answer = try browser.authenticate(app).map { ($0.0, $0.0 == "code" ? code ?? $0.1 : $0.1) }
            return try browser.bring(answer)
        }
        _ = try bring("acme", "junk")
        #expect(try bring("acme", nil).status == 429)
        #expect(try Location(try bring("other", nil))["code"] != nil)
    }

    @Test("marks of one address are bounded, and others are not; refused returns leave none")
    func marks() throws {
        let store = InMemorySingleUseStore(capacity: 8)
        var limits = ClientLimits()
        limits.marks = 5
        let installation = try Installation(store: store, clientLimits: limits)
        for _ in 0..<5 { #expect(try junk(installation, from: Self.stranger).status == 303) }
        for _ in 0..<20 { #expect(try junk(installation, from: Self.stranger).status == 429) }
        // Of eight marks there are three left for everybody else.
        for _ in 0..<3 { #expect(try signIn(installation, from: Self.person)) }
        #expect(installation.log.lines.contains { $0.metadata["auth.detail"] == "\"logins that returned\"" })
    }

    @Test("a return that comes again is no second mark")
    func repeated() throws {
        let installation = try self.installation { $0.marks = 2 }
        var browser = Browser(installation)
        browser.clientAddress = Self.stranger
        let answer = try browser.authenticate()
        let jar = browser.jar
        #expect(try browser.bring(answer).status == 303)
        for _ in 0..<10 {
            browser.jar = jar
            #expect(try browser.bring(answer).heading == "You have already signed in")
        }
        #expect(try signIn(installation, from: Self.stranger))
    }

    @Test("returns under way at once are bounded for an address; each that ends makes room")
    func atOnce() throws {
        let installation = try self.installation { $0.exchanges = 2 }
        installation.provider.behave { $0.latePaths = ["/token"] }
        func bring(_ address: ClientAddress?) throws -> PendingAnswer {
            var browser = Browser(installation)
            browser.clientAddress = address
            let answer = try browser.authenticate()
            return try browser.bringWithoutWaiting(answer)
        }
        // Metadata and keys are there before anybody waits.
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

    @Test("pushed starts that fail are counted, and the app is told; the provider is not asked any more")
    func pushes() throws {
        let installation = try self.installation {
            $0.failures = 3
        } configure: {
            $0.providers[0].pushedAuthorization = true
        }
        installation.provider.behave { behaviour in
            let endpoint = installation.provider.issuer + "/par"
            behaviour.metadata = ["pushed_authorization_request_endpoint": .string(endpoint)]
            behaviour.pushAnswer = (503, ["error": "temporarily_unavailable"])
        }
        func start(_ address: ClientAddress?) throws -> Location {
            var browser = Browser(installation)
            browser.clientAddress = address
            return try browser.start()
        }
        for _ in 0..<10 { #expect(try start(Self.stranger)["error"] == "temporarily_unavailable") }
        #expect(installation.provider.count("/par") == 3)
        installation.provider.behave { $0.pushAnswer = nil }
        #expect(try start(Self.person)["request_uri"] != nil)
        #expect(try start(nil)["request_uri"] != nil)
        #expect(try start(Self.stranger)["error"] == "temporarily_unavailable")
        let lines = installation.log.lines.filter { $0.metadata["auth.outcome"] == "too_many_from_address" }
        #expect(lines.map(\.message) == ["a sign-in could not begin"])
        installation.clock.advance(by: 60)
        #expect(try start(Self.stranger)["request_uri"] != nil)
    }

    @Test(
        "a wall clock that is set lengthens and shortens no wait",
        arguments: [3600, -3600, 86_400, -86_400, 315_360_000, -315_360_000] as [Int64])
    func steps(seconds: Int64) throws {
        let installation = try self.installation { $0.failures = 1 }
        _ = try junk(installation, from: Self.stranger)
        installation.clock.step(by: seconds)
        #expect(try junk(installation, from: Self.stranger).status == 429)
        installation.clock.advance(by: 60)
        #expect(try signIn(installation, from: Self.stranger))
    }
}
