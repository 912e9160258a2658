// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import NIOSSL
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// Which certificates every transport trusts.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct CertificateTrustTests {
    /// Runs a test with a provider that has this certificate.
    private func withProvider(
        _ certificate: DevelopmentCertificate,
        _ body: (OpenIDProvider) async throws -> Void
    ) async throws {
        let provider = try await OpenIDProvider.start(
            OpenIDProvider.Configuration(certificate: certificate), on: MultiThreadedEventLoopGroup.singleton)
        try await attempt {
            try await body(provider)
        } finally: {
            try await provider.shutdown()
        }
    }

    private func discoveryStatus(
        _ kind: TransportKind,
        _ provider: OpenIDProvider,
        at issuer: String? = nil,
        trusting certificateAuthorities: String?
    ) async throws -> Int {
        let request = ProviderRequest(
            url: try #require(AbsoluteURL(ProviderMetadata.url(ofIssuer: issuer ?? provider.issuer))),
            maximumResponseBytes: 65_536, deadline: .now() + .seconds(30),
            trust: ProviderTrust(
                certificateAuthorities: certificateAuthorities.map { Array($0.utf8) }, addresses: .any))
        return try await withTransport(kind) { transport in
            try await transport.execute(request, on: MultiThreadedEventLoopGroup.singleton.any()).get().status
        }
    }

    /// A server's side of TLS that speaks one version alone.
    private static func serverContext(
        _ certificate: DevelopmentCertificate, _ version: TLSVersion
    ) throws -> NIOSSLContext {
        let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificate.certificatePEM.utf8))
        let key = try NIOSSLPrivateKey(bytes: Array(certificate.privateKeyPEM.utf8), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = version
        configuration.maximumTLSVersion = version
        return try NIOSSLContext(configuration: configuration)
    }

    @Test(.attack(.untrustedCertificate), arguments: TransportKind.allCases)
    func `a certificate is trusted where its authority is configured, and nowhere else`(
        kind: TransportKind
    ) async throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["127.0.0.1"])
        let stranger = try DevelopmentCertificate.make(hosts: ["127.0.0.1"])
        try await withProvider(certificate) { provider in
            do {
                let value = try await discoveryStatus(kind, provider, trusting: certificate.certificatePEM)
                #expect(value == 200)
            }
            do {
                let value = try await discoveryStatus(
                    kind, provider, trusting: stranger.certificatePEM + "\n" + certificate.certificatePEM)
                #expect(value == 200)
            }
            await #expect(throws: ProviderTransportError.untrusted) {
                try await discoveryStatus(kind, provider, trusting: nil)
            }
            await #expect(throws: ProviderTransportError.untrusted) {
                try await discoveryStatus(kind, provider, trusting: stranger.certificatePEM)
            }
            // Not one request of those that were refused.
            #expect(provider.recordedRequests().count == 2)
        }
    }

    @Test(.attack(.untrustedCertificate), arguments: TransportKind.allCases)
    func `a certificate of another host is not trusted`(kind: TransportKind) async throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["other.example", "127.0.0.2"])
        try await withProvider(certificate) { provider in
            await #expect(throws: ProviderTransportError.untrusted) {
                try await discoveryStatus(kind, provider, trusting: certificate.certificatePEM)
            }
            #expect(provider.recordedRequests().isEmpty)
        }
    }

    @Test(.attack(.untrustedCertificate), arguments: TransportKind.allCases)
    func `a certificate for the host's name is trusted by that name alone`(kind: TransportKind) async throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["localhost"])
        try await withProvider(certificate) { provider in
            let byName = try await discoveryStatus(
                kind, provider, at: "https://localhost:\(provider.port)", trusting: certificate.certificatePEM)
            #expect(byName == 200)
            await #expect(throws: ProviderTransportError.untrusted) {
                try await discoveryStatus(
                    kind, provider, at: "https://127.0.0.1:\(provider.port)", trusting: certificate.certificatePEM)
            }
            #expect(provider.recordedRequests().count == 1)
        }
        let other = try DevelopmentCertificate.make(hosts: ["other.example"])
        try await withProvider(other) { provider in
            await #expect(throws: ProviderTransportError.untrusted) {
                try await discoveryStatus(
                    kind, provider, at: "https://localhost:\(provider.port)", trusting: other.certificatePEM)
            }
            #expect(provider.recordedRequests().isEmpty)
        }
    }

    /// NIOSSL takes a certificate for the address of the connection, whatever name was asked for.
    @Test(
        .attack(.untrustedCertificate), arguments: TransportKind.allCases,
        [["127.0.0.1"], ["other.example", "127.0.0.1", "::1"]])
    func `a certificate for the connected address is not one for the name that led there`(
        kind: TransportKind, hosts: [String]
    ) async throws {
        let certificate = try DevelopmentCertificate.make(hosts: hosts)
        try await withProvider(certificate) { provider in
            for _ in 1...2 {
                await #expect(throws: ProviderTransportError.untrusted) {
                    try await discoveryStatus(
                        kind, provider, at: "https://localhost:\(provider.port)", trusting: certificate.certificatePEM)
                }
            }
            #expect(provider.recordedRequests().isEmpty)
            let byAddress = try await discoveryStatus(kind, provider, trusting: certificate.certificatePEM)
            #expect(byAddress == 200)
        }
    }

    @Test(.attack(.untrustedCertificate), arguments: TransportKind.allCases)
    func `a certificate for name and address is trusted by both`(kind: TransportKind) async throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["localhost", "127.0.0.1"])
        try await withProvider(certificate) { provider in
            for host in ["localhost", "127.0.0.1", "LOCALHOST"] {
                let status = try await discoveryStatus(
                    kind, provider, at: "https://\(host):\(provider.port)", trusting: certificate.certificatePEM)
                #expect(status == 200)
            }
        }
    }

    @Test(.attack(.untrustedCertificate), arguments: TransportKind.allCases, [TLSVersion.tlsv11, .tlsv12, .tlsv13])
    func `TLS before 1.2 is not spoken`(kind: TransportKind, version: TLSVersion) async throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["127.0.0.1"])
        let context = try Self.serverContext(certificate, version)
        try await ScriptedServer.run(
            { _ in .send([TestRequest.response("x")]) },
            prepare: { channel in
                try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
            }
        ) { server in
            let request = ProviderRequest(
                url: try #require(AbsoluteURL("https://127.0.0.1:\(server.port)/")), maximumResponseBytes: 1024,
                deadline: .now() + .seconds(30),
                trust: ProviderTrust(
                    certificateAuthorities: Array(certificate.certificatePEM.utf8), addresses: .any))
            try await withTransport(kind) { transport in
                let response = transport.execute(request, on: TestRequest.loop)
                if version == .tlsv11 {
                    await #expect(throws: ProviderTransportError.untrusted) { try await response.get() }
                } else {
                    let response = try await response.get()
                    #expect(response.status == 200)
                }
            }
            #expect(server.requests.count == (version == .tlsv11 ? 0 : 1))
        }
    }

    @Test(.attack(.untrustedCertificate), arguments: TransportKind.allCases)
    func `an expired certificate is not trusted`(kind: TransportKind) async throws {
        let certificate = try DevelopmentCertificate.make(
            hosts: ["127.0.0.1"], now: SystemUnixClock().now() - 2 * 365 * 86_400)
        try await withProvider(certificate) { provider in
            await #expect(throws: ProviderTransportError.untrusted) {
                try await discoveryStatus(kind, provider, trusting: certificate.certificatePEM)
            }
            #expect(provider.recordedRequests().isEmpty)
        }
    }

    @Test(.attack(.untrustedCertificate), arguments: TransportKind.allCases, StrengthCertificates.weak.indices)
    func `a certificate with RSA below 2048 bits or a SHA-1 signature is not trusted, and gets no request`(
        kind: TransportKind, index: Int
    ) async throws {
        let certificate = StrengthCertificates.weak[index]
        try await withProvider(certificate) { provider in
            let error = await #expect(throws: ProviderTransportError.untrusted) {
                try await discoveryStatus(kind, provider, trusting: certificate.certificatePEM)
            }
            #expect(error?.description.contains("TLS failed") == true)
            #expect(provider.recordedRequests().isEmpty)
        }
    }

    @Test(arguments: TransportKind.allCases, StrengthCertificates.strong.indices)
    func `a certificate with RSA of 2048 bits or P-256 and SHA-256 is trusted`(
        kind: TransportKind, index: Int
    ) async throws {
        let certificate = StrengthCertificates.strong[index]
        try await withProvider(certificate) { provider in
            let status = try await discoveryStatus(kind, provider, trusting: certificate.certificatePEM)
            #expect(status == 200)
        }
    }

    @Test(
        .attack(.untrustedCertificate),
        arguments: TransportKind.allCases,
        ["", "not PEM", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func `unreadable authorities do not fall back to the system's`(
        kind: TransportKind, pem: String
    ) async throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["127.0.0.1"])
        try await withProvider(certificate) { provider in
            await #expect(throws: ProviderTransportError.unusableTrust) {
                try await discoveryStatus(kind, provider, trusting: pem)
            }
            #expect(provider.recordedRequests().isEmpty)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `a relying party trusts the authorities of its configuration`(kind: TransportKind) async throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["127.0.0.1"])
        try await withProvider(certificate) { provider in
            try await withTransport(kind) { transport in
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

    @Test(.attack(.proxyInTheWay), arguments: TransportKind.allCases)
    func `a new bundle of authorities counts from the next request on, on the same transport`(
        kind: TransportKind
    ) async throws {
        let old = try DevelopmentCertificate.make(hosts: ["127.0.0.1"])
        let new = try DevelopmentCertificate.make(hosts: ["127.0.0.1"])
        let group = MultiThreadedEventLoopGroup.singleton
        try await withTransport(kind) { transport in
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
