// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// A client's certificate on a real connection (RFC 8705), of every transport.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct MutualTLSTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// Runs a test with a server that asks for this client's certificate.
    private func withServer(
        _ client: DevelopmentCertificate,
        _ body: (ScriptedServer, CertificateDemand, DevelopmentCertificate) async throws -> Void
    ) async throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["127.0.0.1"])
        let demand = try CertificateDemand(server: certificate, client: client)
        try await ScriptedServer.run({ _ in .send([Self.ok]) }, prepare: { try demand.prepare($0) }) { server in
            try await body(server, demand, certificate)
        }
    }

    private func execute(
        _ transport: any ProviderTransport,
        _ server: ScriptedServer,
        trusting certificate: DevelopmentCertificate,
        showing client: ClientCertificate?
    ) async throws -> ProviderResponse {
        let request = ProviderRequest(
            url: try #require(AbsoluteURL("https://127.0.0.1:\(server.port)/token")),
            content: .form("client_id=client"),
            maximumResponseBytes: 1024, deadline: .now() + .seconds(30),
            trust: ProviderTrust(
                certificateAuthorities: Array(certificate.certificatePEM.utf8), addresses: .any,
                clientCertificate: client))
        return try await transport.execute(request, on: TestRequest.loop).get()
    }

    private func shown(_ certificate: DevelopmentCertificate) -> ClientCertificate {
        ClientCertificate(
            certificateChain: Array(certificate.certificatePEM.utf8), privateKey: Secret(certificate.privateKeyPEM))
    }

    @Test(arguments: TransportKind.allCases)
    func `the configured certificate is shown`(kind: TransportKind) async throws {
        let client = try DevelopmentCertificate.make(hosts: ["client.example"])
        try await withServer(client) { server, demand, certificate in
            try await withTransport(kind) { transport in
                let response = try await execute(transport, server, trusting: certificate, showing: shown(client))
                #expect(String(buffer: response.body) == "ok")
            }
            #expect(demand.shown == [demand.demanded])
            #expect(server.requests.map(\.body) == ["client_id=client"])
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `none is shown where none is configured, and another's connection is not used`(
        kind: TransportKind
    ) async throws {
        let client = try DevelopmentCertificate.make(hosts: ["client.example"])
        let stranger = try DevelopmentCertificate.make(hosts: ["client.example"])
        try await withServer(client) { server, demand, certificate in
            try await withTransport(kind) { transport in
                let response = try await execute(transport, server, trusting: certificate, showing: shown(client))
                #expect(response.status == 200)
                for other in [nil, shown(stranger)] {
                    await #expect(throws: ProviderTransportError.self) {
                        try await execute(transport, server, trusting: certificate, showing: other)
                    }
                }
            }
            #expect(server.requests.count == 1)
            #expect(demand.shown.first == demand.demanded)
            #expect(demand.shown.dropFirst().allSatisfy { $0 != demand.demanded })
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `a certificate that cannot be read, or has another key, sends nothing`(kind: TransportKind) async throws {
        let client = try DevelopmentCertificate.make(hosts: ["client.example"])
        let stranger = try DevelopmentCertificate.make(hosts: ["client.example"])
        let broken = [
            ClientCertificate(certificateChain: [], privateKey: Secret(client.privateKeyPEM)),
            ClientCertificate(certificateChain: Array(client.certificatePEM.utf8), privateKey: Secret("")),
            ClientCertificate(certificateChain: Array("x".utf8), privateKey: Secret(client.privateKeyPEM)),
            ClientCertificate(
                certificateChain: Array(client.certificatePEM.utf8), privateKey: Secret(stranger.privateKeyPEM)),
        ]
        try await withServer(client) { server, _, certificate in
            try await withTransport(kind) { transport in
                for certificateAndKey in broken {
                    await #expect(throws: ProviderTransportError.unusableTrust) {
                        try await execute(transport, server, trusting: certificate, showing: certificateAndKey)
                    }
                }
            }
            #expect(server.connectionCount == 0)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `the provider of the tests takes no request without a certificate at its aliases`(
        kind: TransportKind
    ) async throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["127.0.0.1"])
        let client = shown(try DevelopmentCertificate.make(hosts: ["client.example"]))
        var configuration = OpenIDProvider.Configuration(certificate: certificate, interaction: .automatic(0))
        configuration.offersMutualTLS = true
        let provider = try await OpenIDProvider.start(configuration, on: TestRequest.loop)
        try await attempt {
            try await withTransport(kind) { transport in
                func get(_ url: String, showing client: ClientCertificate?) async throws -> ProviderResponse {
                    let request = ProviderRequest(
                        url: try #require(AbsoluteURL(url)), maximumResponseBytes: 65_536,
                        deadline: .now() + .seconds(30),
                        trust: ProviderTrust(
                            certificateAuthorities: Array(certificate.certificatePEM.utf8), addresses: .any,
                            clientCertificate: client))
                    return try await transport.execute(request, on: TestRequest.loop).get()
                }
                let metadata = try await get(provider.issuer + "/.well-known/openid-configuration", showing: nil)
                let document = try JSONParser.object(
                    Array(metadata.body.readableBytesView), limits: JSONLimits(maximumBytes: 65_536))
                let aliases = try #require(document["mtls_endpoint_aliases"]?.objectValue).members
                    .compactMap { $0.value.text?.makeString() }
                #expect(aliases.count == 4)
                for alias in aliases {
                    #expect(try await (400..<500).contains(get(alias, showing: client).status))
                    await #expect(throws: ProviderTransportError.self) { try await get(alias, showing: nil) }
                }
            }
        } finally: {
            try await provider.shutdown()
        }
    }
}
