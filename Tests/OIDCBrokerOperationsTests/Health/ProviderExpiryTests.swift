// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing

@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerOperations

/// When the client certificates and client secrets of a configuration's providers end.
@Suite struct ProviderExpiryTests {
    private static let now: Int64 = 1_800_000_000
    private static let year: Int64 = 365 * 86_400

    /// A provider toward which the broker authenticates by TLS.
    private static func provider(
        _ name: String, certificateMadeAt made: Int64
    ) throws -> BrokerConfiguration.Provider {
        let certificate = try DevelopmentCertificate.makeForClient(name: "client.example", now: made)
        var provider = BrokerConfiguration.Provider(
            name: name, issuer: "https://\(name).invalid", clientID: "broker", clientSecret: nil)
        provider.configuration.clientCertificate = ClientCertificate(
            certificateChain: Array(certificate.certificatePEM.utf8), privateKey: Secret(certificate.privateKeyPEM))
        return provider
    }

    /// A provider toward which the broker has a secret.
    private static func provider(_ name: String, secretEnds end: Int64?) -> BrokerConfiguration.Provider {
        var provider = BrokerConfiguration.Provider(
            name: name, issuer: "https://\(name).invalid", clientID: "broker",
            clientSecret: Secret("hunter2-is-no-secret"))
        provider.clientSecretExpires = end
        return provider
    }

    private static func configuration(
        _ providers: BrokerConfiguration.Provider...
    ) throws -> BrokerConfiguration {
        BrokerConfiguration(publicURL: try #require(PublicURL("https://localhost")), providers: providers, apps: [])
    }

    @Test func `certificates by themselves, secrets by the configuration, both by the provider's ID`() throws {
        let dates = ExpiryDates()
        dates.set(.certificate, "server", end: 5)
        dates.update(
            try Self.configuration(
                try Self.provider("acme", certificateMadeAt: Self.now),
                Self.provider("globex", secretEnds: Self.now + 86_400), Self.provider("initech", secretEnds: nil),
                .apple(clientID: "com.example.web", teamID: nil, keyID: nil, privateKey: nil)))
        #expect(
            dates.all == [
                .init(kind: .certificate, name: "oidc.acme", end: Self.now + Self.year),
                .init(kind: .certificate, name: "server", end: 5),
                .init(kind: .clientSecret, name: "oidc.globex", end: Self.now + 86_400),
            ])
    }

    @Test func `another configuration replaces them, and what is the server's own stays`() throws {
        let dates = ExpiryDates()
        dates.set(.certificate, "server", end: 5)
        dates.update(
            try Self.configuration(
                try Self.provider("acme", certificateMadeAt: Self.now), Self.provider("globex", secretEnds: 7)))
        dates.update(try Self.configuration(try Self.provider("globex", certificateMadeAt: Self.now - Self.year)))
        #expect(
            dates.all == [
                .init(kind: .certificate, name: "oidc.globex", end: Self.now),
                .init(kind: .certificate, name: "server", end: 5),
            ])
        dates.update(try Self.configuration())
        #expect(dates.all.map(\.name) == ["server"])
    }

    @Test func `a provider whose ID is "server" is not taken for the server itself`() throws {
        var own = try Self.provider("acme", certificateMadeAt: Self.now)
        own.id = "server"
        var secret = Self.provider("globex", secretEnds: 7)
        secret.id = "servers"
        let dates = ExpiryDates()
        dates.set(.certificate, ExpiryDates.ownName, end: 5)
        dates.update(try Self.configuration(own, secret))
        #expect(
            dates.all == [
                .init(kind: .certificate, name: "provider server", end: Self.now + Self.year),
                .init(kind: .certificate, name: "server", end: 5),
                .init(kind: .clientSecret, name: "servers", end: 7),
            ])
        // Both are scraped: of two series with the same labels there would be one.
        let text = PrometheusMetrics().exposition(
            .prometheus, scraped: OperationsSource.expiries(dates, now: { 0 }).samples())
        let series = String(decoding: text, as: UTF8.self).split(separator: "\n").filter {
            $0.hasPrefix("auth_certificate_remaining_seconds{")
        }
        #expect(series.count == 2)
        // No provider can have the other name.
        own.id = "provider server"
        #expect(try Self.configuration(own).validate().contains { $0.key == "auth.provider.acme.id" })
    }

    @Test func `metrics and health show them`() throws {
        let dates = ExpiryDates()
        dates.update(
            try Self.configuration(
                try Self.provider("acme", certificateMadeAt: Self.now),
                Self.provider("globex", secretEnds: Self.now - 1)))
        let samples = OperationsSource.expiries(dates, now: { Self.now }).samples()
        #expect(
            samples.map { "\($0.name) \($0.labels.map(\.value)) \($0.value)" } == [
                "auth_certificate_remaining_seconds [\"oidc.acme\"] \(Double(Self.year))",
                "auth_client_secret_remaining_seconds [\"oidc.globex\"] -1.0",
            ])
        let report = HealthReport(
            version: "1", uptimeSeconds: 1, configuration: nil, now: Self.now, expiries: dates.all)
        let text = String(decoding: report.json(status: "ok", loops: nil), as: UTF8.self)
        #expect(text.contains(#""certificates":[{"name":"oidc.acme","days_left":365}]"#))
        #expect(text.contains(#""client_secrets":[{"name":"oidc.globex","days_left":-1}]"#))
    }

    @Test func `a certificate that cannot be read has no end, and a day without a secret is none`() throws {
        var broken = Self.provider("acme", secretEnds: 7)
        broken.configuration.clientSecret = nil
        broken.configuration.clientCertificate = ClientCertificate(
            certificateChain: Array("no certificate".utf8), privateKey: Secret("no key"))
        let dates = ExpiryDates()
        dates.update(try Self.configuration(broken))
        #expect(dates.all.isEmpty)
    }
}
