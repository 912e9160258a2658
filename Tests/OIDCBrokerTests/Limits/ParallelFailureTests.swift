// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOEmbedded
import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// The limit on refused requests of apps from one address, and requests that are under way at once.
struct ParallelFailureTests {
    private static let crowd = IPAddress("192.0.2.1")
    private static let other = IPAddress("2001:db8::1")
    private static let burst = 4

    /// A broker whose store can be told to wait.
    private struct Scene {
        let store = FaultyStore()
        let installation: Installation

        init(configure: (inout BrokerConfiguration) throws -> Void = { _ in }) throws {
            var limits = RequestLimits()
            (limits.failuresPerSecond, limits.failuresBurst) = (1, ParallelFailureTests.burst)
            installation = try Installation(store: store, requestLimits: limits, configure: configure)
        }

        /// Codes that an app has just got.
        func codes(_ count: Int, of app: AppClient) throws -> [String] {
            try (0..<count).map { _ in
                var browser = Browser(installation)
                return try #require(try browser.signIn(app)["code"])
            }
        }

        /// Sends a token request, which may have to wait.
        func redeem(
            _ code: String, _ app: AppClient, from client: IPAddress? = ParallelFailureTests.crowd
        ) -> PendingResponse {
            var request = installation.tokenRequest(app.tokenForm(code))
            request.client = client
            return send(request)
        }

        /// Asks for the claims about a user, which may have to wait.
        func userInfo(_ token: String) -> PendingResponse {
            send(
                BrokerRequest(
                    head: HTTPRequest(
                        method: .get, scheme: "https", authority: "auth.example.com", path: "/__/auth/userinfo",
                        headerFields: [.authorization: "Bearer \(token)"]), client: ParallelFailureTests.crowd))
        }

        private func send(_ request: BrokerRequest) -> PendingResponse {
            let pending = PendingResponse(installation.broker.respond(to: request, on: installation.eventLoop))
            installation.eventLoop.run()
            return pending
        }

        func release() {
            store.release()
            installation.eventLoop.run()
        }

        /// The number of requests of the address that are refused before the limit is reached.
        func failuresLeft() -> Int {
            (0..<100).prefix { _ in
                redeem(ParallelFailureTests.junk(), .shop).response?.status == 400
            }.count
        }
    }

    /// A code that was never issued.
    private static func junk() -> String { Base64URL.encode(SecureRandom.bytes(32)) }

    /// The statuses of responses; `nil` for one that is not there yet.
    private func statuses(_ responses: some Sequence<PendingResponse>) -> [Int?] {
        responses.map { $0.response?.status }
    }

    private func all(_ status: Int?, _ count: Int) -> [Int?] { Array(repeating: status, count: count) }

    @Test func `of refused requests that are under way at once, those beyond the burst are limited`() throws {
        let scene = try Scene()
        scene.store.hold()
        let responses = (0..<(3 * Self.burst)).map { _ in scene.redeem(Self.junk(), .shop) }
        // The others are responded to before anything is looked up.
        #expect(statuses(responses) == all(nil, Self.burst) + all(429, 2 * Self.burst))
        let limited = try #require(responses.last?.response)
        #expect(limited.head.headerFields[.retryAfter] == "1")
        #expect(try limited.json()["error"]?.text?.makeString() == "temporarily_unavailable")
        #expect(scene.redeem(Self.junk(), .shop, from: Self.other).response == nil)
        scene.release()
        #expect(statuses(responses.prefix(Self.burst)) == all(400, Self.burst))
        #expect(scene.failuresLeft() == 0)
        scene.installation.clock.advance(by: 1)
        #expect(scene.failuresLeft() == 1)
    }

    @Test func `of successful requests that are under way at once none is limited, and none counts later`() throws {
        let scene = try Scene()
        let app = AppClient.shop
        for _ in 0..<3 {
            let codes = try scene.codes(Self.burst, of: app)
            scene.store.hold()
            let responses = codes.map { scene.redeem($0, app) }
            #expect(statuses(responses) == all(nil, Self.burst))
            scene.release()
            #expect(statuses(responses) == all(200, Self.burst))
        }
        #expect(scene.failuresLeft() == Self.burst)
    }

    @Test func `one more than the burst waits until another has ended, and its code is good all the while`() throws {
        let scene = try Scene()
        let app = AppClient.shop
        let codes = try scene.codes(Self.burst + 1, of: app)
        scene.store.hold()
        let responses = codes.map { scene.redeem($0, app) }
        #expect(statuses(responses) == all(nil, Self.burst) + all(429, 1))
        scene.release()
        #expect(scene.redeem(codes[Self.burst], app).response?.status == 200)
    }

    @Test func `a confidential app has any number under way at one address, successful or not`() throws {
        let scene = try Scene()
        let app = AppClient.back
        let codes = try scene.codes(3 * Self.burst, of: app)
        scene.store.hold()
        let junk = (0..<(3 * Self.burst)).map { _ in Self.junk() }
        let responses = (codes + junk).map { scene.redeem($0, app) }
        #expect(statuses(responses) == all(nil, 6 * Self.burst))
        scene.release()
        #expect(statuses(responses) == all(200, 3 * Self.burst) + all(400, 3 * Self.burst))
        #expect(scene.failuresLeft() == Self.burst)
    }

    @Test func `requests to UserInfo that are under way at once are limited as well, and successful ones do not count`()
        throws
    {
        let scene = try Scene()
        let app = AppClient.shop
        let code = try #require(try scene.codes(1, of: app).first)
        let redeemed = try #require(scene.redeem(code, app).response)
        let token = try #require(try redeemed.json()["access_token"]?.text?.makeString())
        scene.store.hold()
        let responses = (0..<(Self.burst + 2)).map { _ in scene.userInfo(token) }
        #expect(statuses(responses) == all(nil, Self.burst) + all(429, 2))
        scene.release()
        #expect(statuses(responses.prefix(Self.burst)) == all(200, Self.burst))
        #expect(scene.failuresLeft() == Self.burst)
    }

    @Test func `a request over the limit of its app does not count for its address`() throws {
        let scene = try Scene { $0.apps[0].requestsPerSecond = 1 }
        // Of no address.
        for _ in 0..<10 { #expect(scene.redeem(Self.junk(), .shop, from: nil).response?.status == 400) }
        for _ in 0..<(3 * Self.burst) { #expect(scene.redeem(Self.junk(), .shop).response?.status == 429) }
        for _ in 0..<Self.burst {
            #expect(scene.redeem(Self.junk(), AppClient(clientID: "nobody")).response?.status == 401)
        }
        #expect(scene.redeem(Self.junk(), AppClient(clientID: "nobody")).response?.status == 429)
    }
}
