// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Logging
import NIOCore
import NIOPosix
import OIDCBroker
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerOperations

/// What a broker tells about its providers and its store, after a provider could not be reached.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct BrokerHealthTests {
    private static let start = """
        /__/auth/authorize?client_id=shop&response_type=code&scope=openid&state=s\
        &redirect_uri=https%3A%2F%2Fshop.example%2Fcb&code_challenge_method=S256\
        &code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM
        """

    private static func broker(_ clock: TestClock) throws -> Broker {
        let publicURL = try #require(PublicURL("https://localhost"))
        var configuration = BrokerConfiguration(
            publicURL: publicURL,
            providers: [
                BrokerConfiguration.Provider(
                    name: "acme", issuer: "https://provider.invalid", clientID: "broker",
                    clientSecret: Secret("hunter2-is-no-secret"))
            ],
            apps: [BrokerConfiguration.App(name: "shop", redirectURIs: ["https://shop.example/cb"])])
        configuration.makeMissingKeys()
        return try Broker(
            configuration: configuration, transport: UnreachableTransport(), clock: clock, elapsed: clock.elapsed,
            logger: WarningRecorder().logger)
    }

    private static func samples(_ broker: Broker) -> [String] {
        OperationsSource.broker(broker).samples().map { sample in
            let labels = sample.labels.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
            return "\(sample.name) \(labels) \(MetricText.number(sample.value))"
        }
    }

    @Test func `a provider that was never asked is no problem`() throws {
        let broker = try Self.broker(TestClock())
        #expect(broker.providerStatuses.map { ProviderCondition($0.status) } == [.ok])
        let samples = Self.samples(broker)
        #expect(samples.contains("auth_provider_failing_seconds provider=oidc.acme 0"))
        #expect(samples.contains("auth_open_circuits provider=oidc.acme,circuit=tokens 0"))
        #expect(samples.contains("auth_store_fullness_ratio store=logins,part=claims 0"))
        #expect(samples.contains("auth_store_entries store=lasting,part=owned_claims 0"))
        #expect(samples.contains("auth_store_entries store=logins,part=waiting_records 0"))
        #expect(!samples.contains("auth_store_entries store=lasting,part=waiting_records 0"))
        #expect(!samples.contains { $0.hasPrefix("auth_metadata_age_seconds") })
    }

    @Test func `one that could not be reached fails since then, by the class of its error and nothing else`()
        async throws
    {
        let clock = TestClock()
        let broker = try Self.broker(clock)
        let request = BrokerRequest(
            method: .get, authority: "auth.example.com", path: Self.start, headerFields: [:])
        _ = await broker.respond(to: request, using: MultiThreadedEventLoopGroup.singleton)
        clock.advance(by: 90)
        let condition = broker.providerStatuses.map { ProviderCondition($0.status) }
        #expect(condition == [.failing(.init(error: "unreachable", seconds: 90))])
        #expect(Self.samples(broker).contains("auth_provider_failing_seconds provider=oidc.acme 90"))
        let report = HealthReport(
            of: broker, version: "1", uptimeSeconds: 1, configuration: nil, expiries: ExpiryDates())
        let text = String(decoding: report.json(status: "ok", loops: nil), as: UTF8.self)
        #expect(
            text.contains(
                #"{"name":"oidc.acme","status":"failing","since":\#(clock.now() - 90),"error":"unreachable"}"#))
        #expect(!text.contains("hunter2"))
        #expect(!text.contains("provider.invalid"))
    }
}
