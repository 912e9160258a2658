// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@Suite(.onSockets, .timeLimit(.minutes(10))) struct CertificateTrustTests {
    /// Runs a test with a provider that has this certificate.
    private func withProvider(
        _ certificate: DevelopmentCertificate,
        _ body: (OpenIDProvider) async throws -> Void
    ) async throws {
        let provider = try await OpenIDProvider.start(
            OpenIDProvider.Configuration(certificate: certificate), on: MultiThreadedEventLoopGroup.singleton)
        do {
            try await body(provider)
        } catch {
            try await provider.shutdown()
            throw error
        }
        try await provider.shutdown()
    }

    private func discoveryStatus(
        _ provider: OpenIDProvider,
        trusting certificateAuthorities: String?
    ) async throws -> Int {
        let request = ProviderRequest(
            url: try #require(AbsoluteURL(ProviderMetadata.url(ofIssuer: provider.issuer))),
            maximumResponseBytes: 65_536, deadline: .now() + .seconds(30),
            trust: ProviderTrust(
                certificateAuthorities: certificateAuthorities.map { Array($0.utf8) }, addresses: .any))
        return try await withTransport { transport in
            try await transport.execute(request, on: MultiThreadedEventLoopGroup.singleton.any()).get().status
        }
    }

    @Test func `P8 a certificate is trusted where its authority is configured, and nowhere else`() async throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["127.0.0.1"])
        let stranger = try DevelopmentCertificate.make(hosts: ["127.0.0.1"])
        try await withProvider(certificate) { provider in
            do {
                let value = try await discoveryStatus(provider, trusting: certificate.certificatePEM)
                #expect(value == 200)
            }
            do {
                let value = try await discoveryStatus(
                    provider, trusting: stranger.certificatePEM + "\n" + certificate.certificatePEM)
                #expect(value == 200)
            }
            await #expect(throws: ProviderTransportError.untrusted) {
                try await discoveryStatus(provider, trusting: nil)
            }
            await #expect(throws: ProviderTransportError.untrusted) {
                try await discoveryStatus(provider, trusting: stranger.certificatePEM)
            }
            // Not one request of those that were refused.
            #expect(provider.recordedRequests().count == 2)
        }
    }

    @Test func `P8 a certificate of another host is not trusted`() async throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["other.example", "127.0.0.2"])
        try await withProvider(certificate) { provider in
            await #expect(throws: ProviderTransportError.untrusted) {
                try await discoveryStatus(provider, trusting: certificate.certificatePEM)
            }
            #expect(provider.recordedRequests().isEmpty)
        }
    }

    @Test func `P8 an expired certificate is not trusted`() async throws {
        let certificate = try DevelopmentCertificate.make(
            hosts: ["127.0.0.1"], now: SystemUnixClock().now() - 2 * 365 * 86_400)
        try await withProvider(certificate) { provider in
            await #expect(throws: ProviderTransportError.untrusted) {
                try await discoveryStatus(provider, trusting: certificate.certificatePEM)
            }
            #expect(provider.recordedRequests().isEmpty)
        }
    }

    @Test(arguments: ["", "not PEM", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func `P8 authorities that can not be read do not mean the system's`(pem: String) async throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["127.0.0.1"])
        try await withProvider(certificate) { provider in
            await #expect(throws: ProviderTransportError.unusableTrust) {
                try await discoveryStatus(provider, trusting: pem)
            }
            #expect(provider.recordedRequests().isEmpty)
        }
    }

    @Test func `a relying party trusts the authorities of its configuration`() async throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["127.0.0.1"])
        try await withProvider(certificate) { provider in
            try await withTransport { transport in
                var configuration = ProviderConfiguration(
                    issuer: provider.issuer, clientID: "client", clientSecret: nil,
                    redirectURI: "https://app.example/cb")
                let strict = RelyingParty(configuration: configuration, transport: transport)
                await #expect(throws: RelyingPartyError.transport(.discovery, .untrusted)) {
                    try await strict.begin(using: MultiThreadedEventLoopGroup.singleton)
                }
                configuration.certificateAuthorities = Array(certificate.certificatePEM.utf8)
                let trusting = RelyingParty(configuration: configuration, transport: transport)
                let begun = try await trusting.begin(using: MultiThreadedEventLoopGroup.singleton)
                #expect(begun.url.hasPrefix(provider.issuer + "/authorize?"))
            }
        }
    }

    @Test func `P7 a new bundle of authorities counts from the next request on, on the same transport`() async throws {
        let old = try DevelopmentCertificate.make(hosts: ["127.0.0.1"])
        let new = try DevelopmentCertificate.make(hosts: ["127.0.0.1"])
        let group = MultiThreadedEventLoopGroup.singleton
        try await withTransport { transport in
            func begin(_ provider: OpenIDProvider, trusting certificates: String) async throws -> String {
                var configuration = ProviderConfiguration(
                    issuer: provider.issuer, clientID: "client", clientSecret: nil,
                    redirectURI: "https://app.example/cb")
                configuration.certificateAuthorities = Array(certificates.utf8)
                let party = RelyingParty(configuration: configuration, transport: transport)
                return try await party.begin(using: group).url
            }
            try await withProvider(new) { provider in
                await #expect(throws: RelyingPartyError.transport(.discovery, .untrusted)) {
                    try await begin(provider, trusting: old.certificatePEM)
                }
                let both = try await begin(provider, trusting: old.certificatePEM + "\n" + new.certificatePEM)
                #expect(both.hasPrefix(provider.issuer))
                let only = try await begin(provider, trusting: new.certificatePEM)
                #expect(only.hasPrefix(provider.issuer))
                // The old bundle is not helped by the connections of the new one.
                await #expect(throws: RelyingPartyError.transport(.discovery, .untrusted)) {
                    try await begin(provider, trusting: old.certificatePEM)
                }
            }
        }
    }
}
