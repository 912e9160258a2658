// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Logging
import MetricsTestKit
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerRecords

/// What is wrong with a provider's keys is logged and counted.
struct ProviderKeysLogTests {
    private static let expired = "cannot fetch the keys of the provider"
    private static let published = "provider publishes private keys"

    private func lines(_ installation: Installation, _ beginning: String) -> [CapturedLog.Line] {
        installation.log.lines.filter { $0.message.hasPrefix(beginning) }
    }

    @Test func `a key replaced under its kid is found within the same sign-in`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let provider = installation.provider
        #expect(try browser.signIn()["code"] != nil)
        installation.clock.advance(by: 30)
        provider.behave { behavior in
            var replaced = provider.strangeKey.publicJWK
            replaced["kid"] = .string(provider.key.keyID)
            behavior.publishedKeys = [replaced]
            behavior.header["kid"] = .string(provider.key.keyID)
            behavior.signingKey = provider.strangeKey
        }
        #expect(try browser.signIn()["code"] != nil)
        #expect(provider.count("/jwks") == 2)
    }

    @Test func `keys that expired serve on for an hour, with a warning and a count that name the provider`() throws {
        _ = CapturedMetrics.shared
        let installation = try Installation()
        var browser = Browser(installation)
        #expect(try browser.signIn()["code"] != nil)
        #expect(lines(installation, Self.expired).isEmpty)
        installation.provider.behave { $0.deadPaths = ["/jwks"] }
        installation.clock.advance(by: 3600)
        #expect(try browser.signIn()["code"] != nil)
        let line = try #require(lines(installation, Self.expired).first)
        #expect(lines(installation, Self.expired).count == 1)
        #expect(line.level == .warning)
        let id = try #require(line.metadata["auth.provider"])
        #expect(id.contains("acme"))
        #expect(
            line.metadata["auth.detail"] == "\"key_set: no connection ('\(installation.provider.issuer)/jwks')\"")
        #expect(CapturedMetrics.shared.counters.contains("auth_expired_key_sets provider=\(id)"))
        installation.clock.advance(by: 3600)
        _ = try browser.bring(try browser.authenticate())
        #expect(installation.log.outcomes.last != "signed_in")
    }

    @Test
    func `a private key that is published is not used, with a warning that names it, and is counted`() throws {
        _ = CapturedMetrics.shared
        let installation = try Installation()
        var browser = Browser(installation)
        let provider = installation.provider
        var published = provider.key.publicJWK
        published["kid"] = "old key\n2"
        published["d"] = "private-member-of-a-key"
        let (bad, good) = (published, provider.strangeKey.publicJWK)
        provider.behave { behavior in
            behavior.publishedKeys = [bad, good]
            behavior.signingKey = provider.strangeKey
        }
        #expect(try browser.signIn()["code"] != nil)
        let line = try #require(lines(installation, Self.published).first)
        #expect(line.level == .warning)
        #expect(line.metadata["auth.kid"] == "'old?key?2'")
        let id = try #require(line.metadata["auth.provider"])
        #expect(id.contains("acme"))
        #expect(CapturedMetrics.shared.counters.contains("auth_published_private_keys provider=\(id)"))
        #expect(!installation.log.text.contains("private-member-of-a-key"))
        // No sign-in uses it.
        provider.behave { behavior in
            behavior.signingKey = nil
            behavior.header["kid"] = "old key\n2"
        }
        _ = try browser.bring(try browser.authenticate())
        #expect(installation.log.outcomes.last == "failed_id_token")
    }

    @Test func `keys are counted without their IDs, which the provider chooses, and few IDs are written`() throws {
        let metrics = TestMetrics()
        let log = CapturedLog()
        let keysLog = ProviderKeysLog(
            provider: "acme", logger: log.logger, metrics: BrokerMetrics(factory: metrics))
        keysLog.privateKeysPublished((0..<100).map { "k\($0)" })
        for number in 100..<200 { keysLog.privateKeysPublished(["k\(number)"]) }
        let counters = metrics.counters(label: "auth_published_private_keys")
        #expect(counters.count == 1)
        #expect(counters.first?.dimensions.map { "\($0.0)=\($0.1)" } == ["provider=acme"])
        #expect(counters.first?.totalValue == 200)
        #expect(log.lines.first?.metadata["auth.kid"]?.hasSuffix("'k7' and 92 more") == true)
    }

    @Test func `metadata whose authorization endpoint brings a parameter of the request begins no sign-in`() throws {
        let installation = try Installation()
        let issuer = installation.provider.issuer
        installation.provider.behave {
            $0.metadata = ["authorization_endpoint": .string(issuer + "/authorize?state=x")]
        }
        let response = try installation.get(AppClient.shop.target())
        #expect(response.head.headerFields[.location]?.hasPrefix(issuer) != true)
        #expect(installation.log.text.contains("'authorization_endpoint' with 'state' in its query"))
    }
}
