// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import NIOHTTP1
import NIOPosix
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import StoreTesting
import Synchronization
import Testing
import TestingSupport

@testable import Accounts
@testable import OIDCBrokerServer

/// The delivery of logout tokens to apps over a real socket (OpenID Connect Back-Channel Logout 1.0 section 2.5).
@Suite(.onSockets, .timeLimit(.minutes(10))) struct AppLogoutDeliveryTests {
    private static let keys = [JSONWebAlgorithm.es256, .rs256].compactMap { try? SigningKey.generatePEM($0) }

    /// The apps `shop`, which has the default algorithm, and `desk`, which has ES256.
    private final class Apps: Sendable {
        let received = Mutex<[(app: String, type: String?, body: [UInt8])]>([])
        let statuses = Mutex<[String: HTTPResponseStatus]>([:])

        func respond(to head: HTTPRequestHead, _ body: [UInt8]) -> AnsweringServer.Answer {
            let app = String(head.uri.dropFirst())
            received.withLock { $0.append((app: app, type: head.headers["content-type"].first, body: body)) }
            return .init(status: statuses.withLock { $0[app] } ?? .ok)
        }

        /// The claims of the tokens that came, by the order in which they came, verified with the key set.
        func tokens(_ broker: Broker, on loop: any EventLoop) async throws -> [(app: String, claims: JSONObject)] {
            let keySet = try await AppLogoutDeliveryTests.keySet(broker, on: loop)
            let received = received.withLock { received in
                defer { received = [] }
                return received
            }
            return try received.map { request in
                #expect(request.type == "application/x-www-form-urlencoded")
                let form = String(decoding: request.body, as: UTF8.self)
                #expect(form.hasPrefix("logout_token="))
                let signature = try JSONWebSignature(compact: String(form.dropFirst("logout_token=".count)))
                #expect(signature.type?.hasSameBytes(as: "logout+jwt") == true)
                let algorithm: JSONWebAlgorithm = request.app == "desk" ? .es256 : .rs256
                return (request.app, try signature.verified(by: keySet, algorithms: [algorithm]).claims)
            }
        }
    }

    private static func keySet(_ broker: Broker, on loop: any EventLoop) async throws -> KeySet {
        let request = BrokerRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "auth.example.com", path: "/__/auth/jwks"),
            body: ByteBuffer())
        let response = try await loop.flatSubmit { broker.response(to: request, on: loop) }.get()
        return try KeySet(json: Array(response.body.readableBytesView))
    }

    private struct Scene {
        let accounts: BrokerAccounts
        let broker: Broker
        let configuration: LoadedConfiguration
        let store: ModelAccountStore
        let apps: Apps
        let clock: TestClock
        let loop: any EventLoop

        func pass(_ app: String) async throws -> Int64 {
            await (try #require(accounts.logoutQueues.delivery(to: app))).pass(on: loop)
        }

        func received() async throws -> [(app: String, claims: JSONObject)] {
            try await apps.tokens(broker, on: loop)
        }

        /// Appends the end of a session to the queue of an app, as an operation does.
        func end(_ sid: String, of account: String = "ada", at app: String) throws {
            let event = AccountEvent(
                id: sid, type: "session.ended", account: try #require(AccountID(account)), time: clock.now(),
                json: #"{"sub":"sub-of-\#(account)","sid":"\#(sid)"}"#)
            try store.transact(.write) { try $0.outbox?.append(event, for: "logout:" + app) }
        }

        func waiting() throws -> [QueuedEvent] {
            try store.transact(.list) { try $0.outbox?.events(after: 0, limit: 100) ?? [] }
        }
    }

    private static func run(_ body: (Scene) async throws -> Void) async throws {
        let apps = Apps()
        try await AnsweringServer.run {
            apps.respond(to: $0, $1)
        } body: { root in
            var variables = SourcesFixture.accounts
            variables["AUTH_SIGNING_KEYS"] = keys.joined()
            variables["AUTH_APPS"] = "shop, desk"
            for app in ["shop", "desk"] {
                variables["AUTH_APP_\(app.uppercased())_REDIRECT_URIS"] = "https://\(app).example/cb"
                variables["AUTH_APP_\(app.uppercased())_ACCOUNTS"] = "true"
                variables["AUTH_APP_\(app.uppercased())_BACKCHANNEL_LOGOUT_URI"] = root + "/" + app
            }
            variables["AUTH_APP_DESK_ID_TOKEN_ALGORITHM"] = "ES256"
            let loaded = try await SourcesFixture.load(environment: SourcesFixture.environment(with: variables))
            let (store, clock) = (ModelAccountStore(), TestClock())
            let accounts = try BrokerAccounts(
                configuration: try #require(loaded.accounts), broker: loaded.broker, store: store, clock: clock,
                logger: .quiet)
            try await ProviderTransportKind.nio.withTransport(on: RunningServer.eventLoops) { transport in
                let broker = try accounts.makeBroker(
                    configuration: loaded.broker, transport: transport, clock: clock, logger: .quiet)
                try await body(
                    Scene(
                        accounts: accounts, broker: broker, configuration: loaded, store: store, apps: apps,
                        clock: clock, loop: RunningServer.eventLoops.any()))
            }
        }
    }

    @Test func `a logout token is the app's own, of two minutes, and verifies with the key set`() async throws {
        try await Self.run { scene in
            try scene.end("s-1", at: "shop")
            try scene.end("s-2", at: "desk")
            for app in ["shop", "desk"] { _ = try await scene.pass(app) }
            let received = try await scene.received()
            #expect(received.map(\.app) == ["shop", "desk"])
            for (number, (app, claims)) in received.enumerated() {
                #expect(
                    Set(claims.members.map(\.name)) == ["iss", "aud", "sub", "sid", "events", "jti", "iat", "exp"])
                #expect(claims["iss"]?.text?.makeString() == scene.configuration.broker.issuer)
                #expect(claims["aud"] == .string(app) && claims["sub"] == "sub-of-ada")
                #expect(claims["sid"] == .string("s-\(number + 1)"))
                #expect(
                    claims["events"] == .object(["http://schemas.openid.net/event/backchannel-logout": .object([:])]))
                #expect(claims["iat"]?.integerValue == scene.clock.now() - IssuedAt.allowance)
                #expect(claims["exp"]?.integerValue == scene.clock.now() + 120)
            }
            #expect(try scene.waiting().isEmpty)
        }
    }

    @Test func `a token that failed is made anew, and holds up neither the other app nor the other accounts`()
        async throws
    {
        try await Self.run { scene in
            scene.apps.statuses.withLock { $0["shop"] = .serviceUnavailable }
            try scene.end("s-1", at: "shop")
            try scene.end("s-2", at: "shop")
            try scene.end("s-3", of: "bob", at: "shop")
            try scene.end("s-4", at: "desk")
            for app in ["shop", "desk"] { _ = try await scene.pass(app) }
            let first = try await scene.received()
            #expect(Set(first.map { $0.claims.string("sid") }) == ["s-1", "s-3", "s-4"])
            let unavailable = "the app responded with 503"
            #expect(try scene.waiting().map(\.detail) == [unavailable, nil, unavailable])
            scene.apps.statuses.withLock { $0 = [:] }
            for _ in 0..<4 {
                scene.clock.advance(by: 5)
                _ = try await scene.pass("shop")
            }
            let second = try await scene.received()
            let ada = second.filter { $0.claims["sub"] == "sub-of-ada" }
            #expect(ada.map { $0.claims.string("sid") } == ["s-1", "s-2"])
            #expect(try scene.waiting().isEmpty)
            let identifiers = (first + second).map { $0.claims.string("jti") }
            #expect(Set(identifiers).count == identifiers.count)
        }
    }

    private static let failures: [(status: HTTPResponseStatus, age: Int64, isFinal: Bool)] = [
        (.badRequest, 0, true), (.unauthorized, 86_399, false), (.found, 86_400, true),
    ]

    @Test(arguments: failures)
    func `400 is final, and any other failure is tried for a day`(
        row: (status: HTTPResponseStatus, age: Int64, isFinal: Bool)
    ) async throws {
        try await Self.run { scene in
            scene.apps.statuses.withLock { $0["shop"] = row.status }
            try scene.end("s-1", at: "shop")
            scene.clock.advance(by: row.age)
            _ = try await scene.pass("shop")
            #expect(try scene.waiting().map { $0.givenUpAt != nil } == [row.isFinal])
            #expect(try scene.waiting().first?.detail == "the app responded with \(row.status.code)")
        }
    }

    @Test func `what waits for an app that is not configured any more is sent when it comes back`() async throws {
        try await Self.run { scene in
            var without = scene.configuration.broker
            without.apps[0].backchannelLogoutURI = nil
            let accounts = try #require(scene.configuration.accounts)
            try scene.accounts.reload(accounts, brokerConfiguration: without, of: scene.broker)
            #expect(scene.accounts.service.logouts.keys.elementsEqual([WireText("desk")]))
            try scene.end("s-1", at: "shop")
            _ = try await scene.pass("shop")
            #expect(try scene.waiting().map(\.detail) == ["the app has no backchannel-logout-uri"])
            try scene.accounts.reload(accounts, brokerConfiguration: scene.configuration.broker, of: scene.broker)
            scene.clock.advance(by: 5)
            _ = try await scene.pass("shop")
            #expect(try await scene.received().map { $0.claims.string("sid") } == ["s-1"])
        }
    }
}

extension JSONObject {
    fileprivate func string(_ name: String) -> String? { self[name]?.text?.makeString() }
}
