// SPDX-License-Identifier: Apache-2.0

import Admission
import JOSE
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerServer
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

/// The rate of notifications, over real sockets: refused ones count, by client and provider, and valid ones do not.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct NotificationRateTests {
    private static let burst = 8
    private static let address = "127.0.0.2"

    /// A server with two providers, behind a proxy at 127.0.0.1. Its clock stands still, so no token comes.
    private struct Scene: Sendable {
        let server: RunningServer
        let acme: TestProvider
        let recorder: NotificationRecorder

        func open<Value: Sendable>(
            from address: String, _ body: (RawConnection) async throws -> Value
        ) async throws -> Value {
            try await RawConnection.open(
                port: server.port, from: address, tls: RawConnection.TLS(certificate: server.certificate), body)
        }

        /// A logout token of the first provider.
        func token(_ name: String, isForged: Bool = false) throws -> String {
            let now = acme.clock.now()
            let claims: JSONObject = [
                "iss": .string(acme.issuer), "aud": .string(acme.client.id), "iat": .number(JSONNumber(now)),
                "exp": .number(JSONNumber(now + 120)), "jti": .string(name), "sub": .string(TestProvider.subject),
                "events": ["http://schemas.openid.net/event/backchannel-logout": [:]],
            ]
            return try (isForged ? acme.strangeKey : acme.key).sign(claims, type: "logout+jwt", header: [:])
        }

        /// Posts a logout token.
        func post(
            _ token: String, to provider: String = "acme", _ fields: [String] = [], on connection: RawConnection
        ) async throws -> RawConnection.Response {
            let form = "logout_token=" + token
            let head = [
                "Host: \(server.authority)", "Content-Type: application/x-www-form-urlencoded",
                "Content-Length: \(form.utf8.count)",
            ]
            try await connection.send(
                Request.head("POST /__/auth/notifications/\(provider) HTTP/1.1", head + fields) + form)
            return try await connection.response()
        }
    }

    private static func run(_ body: (Scene) async throws -> Void) async throws {
        let clock = TestClock()
        let recorder = NotificationRecorder()
        let providers = try ["acme", "globex"].map { name in
            try TestProvider(
                issuer: "https://login.\(name).example", client: .init(id: "broker-at-" + name, secret: "secret"),
                clock: clock)
        }
        var options = RunningServer.Options()
        options.transport = SeveralProviders(providers)
        options.configuration = { publicURL in
            var configuration = BrokerConfiguration.test(
                publicURL: publicURL, apps: [AppClient.publicApp.configuration])
            configuration.providers = zip(["acme", "globex"], providers).map { name, provider in
                var known = BrokerConfiguration.Provider(
                    name: name, issuer: provider.issuer, clientID: provider.client.id, clientSecret: Secret("secret"))
                known.backChannelLogout = true
                return known
            }
            return configuration
        }
        options.configureServer = { configuration, _ in
            configuration.trustedProxies = ["127.0.0.1"].compactMap { IPNetwork($0) }
            configuration.forwarded = .xForwardedFor
        }
        var limits = RequestLimits()
        (limits.failuresPerSecond, limits.failuresBurst) = (1, burst)
        options.making = RunningServer.Options.Making(
            make: { [limits] configuration, transport in
                try Broker(
                    configuration: configuration, transport: transport, clock: clock, elapsed: clock.elapsed,
                    notificationHandler: recorder, requestLimits: limits, logger: .quiet)
            },
            reload: { broker, configuration in try broker.reload(configuration) })
        try await RunningServer.run(options) { server in
            try await body(Scene(server: server, acme: providers[0], recorder: recorder))
        }
    }

    @Test func `valid logout tokens of one address, ten times as many as may be refused, are all delivered`()
        async throws
    {
        try await Self.run { scene in
            let statuses = try await withThrowingTaskGroup(of: [Int].self) { group in
                for part in 0..<4 {
                    group.addTask {
                        try await scene.open(from: Self.address) { connection in
                            var statuses: [Int] = []
                            for number in 0..<(10 * Self.burst / 4) {
                                let token = try scene.token("\(part)-\(number)")
                                statuses.append(try await scene.post(token, on: connection).status)
                            }
                            return statuses
                        }
                    }
                }
                return try await group.reduce(into: [Int]()) { $0 += $1 }
            }
            #expect(statuses == Array(repeating: 200, count: 10 * Self.burst))
            #expect(scene.recorder.taken.count == 10 * Self.burst)
            try await scene.open(from: Self.address) { connection in
                // While the receiver is away each is to be sent again.
                scene.recorder.refuse(2 * Self.burst)
                for number in 0..<(2 * Self.burst) {
                    let response = try await scene.post(try scene.token("away-\(number)"), on: connection)
                    #expect(response.status == 503 && response["retry-after"] == "5")
                }
                // None of all these was counted.
                for _ in 0..<Self.burst { #expect(try await scene.post("x", on: connection).status == 400) }
                #expect(try await scene.post("x", on: connection).status == 429)
            }
        }
    }

    @Test func `refused ones of a network are limited at the provider that they name, and no others`()
        async throws
    {
        try await Self.run { scene in
            try await scene.open(from: "127.0.0.1") { connection in
                func post(
                    _ token: String, to provider: String = "acme", from client: String
                ) async throws -> RawConnection.Response {
                    try await scene.post(token, to: provider, ["X-Forwarded-For: " + client], on: connection)
                }
                let forged = try scene.token("forged", isForged: true)
                #expect(try await post(forged, from: "2001:db8::1").status == 400)
                for number in 1..<Self.burst {
                    // All are of one /64.
                    #expect(try await post("x", from: "2001:db8::\(number)").status == 400)
                }
                for token in ["x", forged, try scene.token("valid")] {
                    let refused = try await post(token, from: "2001:db8::1")
                    #expect(refused.status == 429 && refused["retry-after"] == "1")
                }
                #expect(scene.recorder.offered == 0)
                #expect(try await post("x", to: "globex", from: "2001:db8::1").status == 400)
                #expect(try await post("x", from: "2001:db8:1::1").status == 400)
                #expect(try await post(try scene.token("valid"), from: "2001:db8:1::1").status == 200)
            }
        }
    }
}
