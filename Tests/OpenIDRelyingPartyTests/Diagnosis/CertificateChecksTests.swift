// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import NIOSSL
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

/// The certificates of servers.
@Suite struct CertificateChecksTests {
    private static let now: Int64 = 1_800_000_000
    private static let day: Int64 = 86_400

    struct Case: Sendable {
        let facts: CertificateFacts
        /// Of a provider's certificate, and of our own.
        let verdicts: [LiveCheck.Verdict]

        init(
            from: Int64 = -1, until days: Int64, names: Bool = true, strong: Bool = true,
            _ verdicts: [LiveCheck.Verdict]
        ) {
            facts = CertificateFacts(
                validFrom: CertificateChecksTests.now + from,
                validUntil: CertificateChecksTests.now + days * CertificateChecksTests.day, namesHost: names,
                isStrong: strong)
            self.verdicts = verdicts
        }
    }

    @Test(arguments: [
        Case(until: 90, [.ok, .ok]), Case(until: 7, [.ok, .ok]), Case(until: 6, [.unknown, .wrong]),
        Case(until: 0, [.wrong, .wrong]), Case(until: -3, [.wrong, .wrong]), Case(from: 1, until: 9, [.wrong, .wrong]),
        Case(until: 90, names: false, [.wrong, .wrong]), Case(until: 90, strong: false, [.wrong, .wrong]),
    ])
    func `a certificate is judged by its times, its names and its strength`(one: Case) {
        let verdicts = ["acme", nil].map { provider in
            LiveCheck.certificate(one.facts, of: provider, host: "login.example", now: Self.now).verdict
        }
        #expect(verdicts == one.verdicts)
    }

    @Test func `the extremes of time are no trap`() {
        for until in [Int64.min, .max] {
            for now in [Int64.min, 0, .max] {
                let facts = CertificateFacts(validFrom: .min, validUntil: until)
                _ = LiveCheck.certificate(facts, of: nil, host: "login.example", now: now)
            }
        }
    }

    @Test func `the facts are those of the certificate`() throws {
        let made = try DevelopmentCertificate.make(hosts: ["login.example"], now: Self.now)
        let certificate = try #require(NIOSSLCertificate.fromPEMBytes(Array(made.certificatePEM.utf8)).first)
        let facts = CertificateFacts(certificate, host: "login.example")
        #expect(
            facts == CertificateFacts(validFrom: Self.now - 3600, validUntil: Self.now + 365 * Self.day))
        #expect(!CertificateFacts(certificate, host: "other.example").namesHost)
    }

    @Test(.onSockets, .timeLimit(.minutes(10)))
    func `a server's certificate is fetched, if it is trusted and its address allowed`() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let made = try DevelopmentCertificate.make(hosts: ["localhost"])
        let provider = try await OpenIDProvider.start(
            OpenIDProvider.Configuration(certificate: made), on: group)
        @Sendable func fetch(
            _ authorities: [UInt8]?, verifies: Bool = true, _ addresses: ProviderTrust.Addresses = .any
        ) async throws -> PeerCertificate {
            try await PeerCertificate.fetch(
                host: "localhost", port: provider.port, certificateAuthorities: authorities, verifies: verifies,
                addresses: addresses, deadline: .now() + .seconds(30), on: group.any()
            ).get()
        }
        let authorities = Array(made.certificatePEM.utf8)
        let peer = try await fetch(authorities)
        #expect(peer.isPrivate)
        #expect(try peer.certificate == NIOSSLCertificate.fromPEMBytes(authorities).first)
        await #expect(throws: ProviderTransportError.untrusted) { try await fetch(nil) }
        #expect(try await fetch(nil, verifies: false).certificate == peer.certificate)
        await #expect(throws: ProviderTransportError.addressRefused) { try await fetch(authorities, .publicOnly) }
        await #expect(throws: ProviderTransportError.unusableTrust) { try await fetch(Array("nonsense".utf8)) }
        try await provider.shutdown()
    }

    @Test(.onSockets, .timeLimit(.minutes(10)))
    func `a server that demands a certificate gets that of the client`() async throws {
        let made = try DevelopmentCertificate.make(hosts: ["127.0.0.1"])
        let client = try DevelopmentCertificate.make(hosts: ["client.example"])
        // With TLS 1.3 the handshake ends for a client before the server has looked at its certificate.
        let demand = try CertificateDemand(server: made, client: client, maximumVersion: .tlsv12)
        let authorities = Array(made.certificatePEM.utf8)
        let own = ClientCertificate(
            certificateChain: Array(client.certificatePEM.utf8), privateKey: Secret(client.privateKeyPEM))
        try await ScriptedServer.run({ _ in .silence }, prepare: { try demand.prepare($0) }) { server in
            let port = server.port
            @Sendable func fetch(_ shown: ClientCertificate?) async throws -> PeerCertificate {
                try await PeerCertificate.fetch(
                    host: "127.0.0.1", port: port, certificateAuthorities: authorities,
                    clientCertificate: shown, addresses: .any, deadline: .now() + .seconds(30),
                    on: MultiThreadedEventLoopGroup.singleton.any()
                ).get()
            }
            let shown = try await fetch(own).certificate
            let expected = try NIOSSLCertificate.fromPEMBytes(authorities).first
            #expect(shown == expected)
            #expect(demand.shown == [demand.demanded])
            await #expect(throws: ProviderTransportError.self) { try await fetch(nil) }
        }
    }

    @Test(.onSockets, .timeLimit(.minutes(10)))
    func `a server that says nothing, or speaks no TLS, ends it`() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        @Sendable func fetch(_ port: Int, within timeout: TimeAmount) async throws -> PeerCertificate {
            try await PeerCertificate.fetch(
                host: "127.0.0.1", port: port, certificateAuthorities: nil, addresses: .any,
                deadline: .now() + timeout, on: group.any()
            ).get()
        }
        try await ScriptedServer.run({ _ in .silence }) { server in
            await #expect(throws: ProviderTransportError.self) {
                try await fetch(server.port, within: .milliseconds(50))
            }
        }
        let provider = try await OpenIDProvider.start(OpenIDProvider.Configuration(), on: group)
        await #expect(throws: ProviderTransportError.self) { try await fetch(provider.port, within: .seconds(30)) }
        try await provider.shutdown()
    }
}
