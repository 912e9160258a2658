// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// Requests through an HTTP proxy, of every transport.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct ProxyTests {
    private static func ok(_ body: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private func execute(
        _ transport: any ProviderTransport,
        _ url: String,
        through proxyPort: Int,
        addresses: ProviderTrust.Addresses = .publicOnly,
        trusting certificate: DevelopmentCertificate? = nil,
        form: String? = nil
    ) async throws -> ProviderResponse {
        let request = ProviderRequest(
            url: try #require(AbsoluteURL(url)), authorization: "Basic c2VjcmV0", content: form.map { .form($0) },
            maximumResponseBytes: 65_536, deadline: .now() + .seconds(30),
            trust: ProviderTrust(
                certificateAuthorities: certificate.map { Array($0.certificatePEM.utf8) }, addresses: addresses,
                proxy: Proxy(host: "127.0.0.1", port: proxyPort)))
        return try await transport.execute(request, on: MultiThreadedEventLoopGroup.singleton.any()).get()
    }

    @Test(.attack(.proxyInTheWay), arguments: TransportKind.allCases)
    func `TLS is spoken with the provider inside a tunnel, by a name that the proxy resolves`(
        kind: TransportKind
    ) async throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["issuer.example"])
        let provider = try await OpenIDProvider.start(
            OpenIDProvider.Configuration(certificate: certificate), on: MultiThreadedEventLoopGroup.singleton)
        try await ConnectProxy.run { proxy in
            let port = try #require(AbsoluteURL(provider.issuer)?.port)
            let url = "https://issuer.example:\(port)/.well-known/openid-configuration"
            try await withTransport(kind) { transport in
                let response = try await execute(transport, url, through: proxy.port, trusting: certificate)
                #expect(response.status == 200)
                // The provider's certificate is validated, not the proxy.
                await #expect(throws: ProviderTransportError.untrusted) {
                    try await execute(transport, url, through: proxy.port)
                }
                let other = url.replacing("issuer.example", with: "other.example")
                await #expect(throws: ProviderTransportError.untrusted) {
                    try await execute(transport, other, through: proxy.port, trusting: certificate)
                }
            }
            #expect(
                proxy.tunnels.map(\.target) == [
                    "issuer.example:\(port)", "issuer.example:\(port)", "other.example:\(port)",
                ])
            // What the provider is sent the proxy does not see.
            for tunnel in proxy.tunnels {
                #expect(!tunnel.head.joined().lowercased().contains("authorization"))
                #expect(!tunnel.head.joined().contains("c2VjcmV0"))
            }
            #expect(provider.recordedRequests().map(\.path) == ["/.well-known/openid-configuration"])
        }
        try await provider.shutdown()
    }

    @Test(.attack(.proxyInTheWay), arguments: TransportKind.allCases)
    func `a form goes through whole, and a connection is used again`(kind: TransportKind) async throws {
        try await ScriptedServer.run({ request in .send([Self.ok(request.line)]) }) { server in
            try await ConnectProxy.run { proxy in
                try await withTransport(kind) { transport in
                    let url = "http://issuer.example:\(server.port)/token"
                    let loop = MultiThreadedEventLoopGroup.singleton.any()
                    for _ in 1...2 {
                        let request = ProviderRequest(
                            url: try #require(AbsoluteURL(url)), content: .form("code=c"), maximumResponseBytes: 1024,
                            deadline: .now() + .seconds(30),
                            trust: ProviderTrust(
                                certificateAuthorities: nil, addresses: .any,
                                proxy: Proxy(host: "127.0.0.1", port: proxy.port)))
                        let response = try await transport.execute(request, on: loop).get()
                        #expect(String(buffer: response.body) == "POST /token HTTP/1.1")
                    }
                }
                #expect(proxy.tunnels.map(\.target) == ["issuer.example:\(server.port)"])
                #expect(server.requests.map(\.body) == ["code=c", "code=c"])
                #expect(server.requests.first?.header("host") == ["issuer.example:\(server.port)"])
            }
        }
    }

    @Test(
        .attack(.proxyInTheWay),
        arguments: TransportKind.allCases,
        ["403 Forbidden", "407 Proxy Authentication Required", "502 Bad Gateway", "302 Found"])
    func `a refusal by the proxy fails the request, and nothing is tried twice`(
        kind: TransportKind, status: String
    ) async throws {
        try await ScriptedServer.run({ _ in .send([Self.ok("x")]) }) { server in
            try await ConnectProxy.run(status: status) { proxy in
                _ = try await withTransport(kind) { transport in
                    await #expect(throws: ProviderTransportError.unreachable) {
                        try await execute(
                            transport, "http://issuer.example:\(server.port)/", through: proxy.port, form: "code=c")
                    }
                }
                #expect(proxy.tunnels.count == 1)
                #expect(server.connectionCount == 0)
            }
        }
    }

    @Test(.attack(.proxyInTheWay), arguments: zip(TransportKind.allCases, ["127.0.0.96", "127.0.0.95"]))
    func `an unreachable proxy fails the request, and no host is contacted directly`(
        kind: TransportKind, unusedHost: String
    ) async throws {
        try await ScriptedServer.run({ _ in .send([Self.ok("x")]) }) { server in
            let port = try await abandonedPort(on: unusedHost)
            let request = ProviderRequest(
                url: try #require(AbsoluteURL("http://127.0.0.1:\(server.port)/")), maximumResponseBytes: 1024,
                deadline: .now() + .seconds(30),
                trust: ProviderTrust(
                    certificateAuthorities: nil, addresses: .any, proxy: Proxy(host: unusedHost, port: port)))
            await #expect(throws: ProviderTransportError.unreachable) {
                try await withTransport(kind) { transport in
                    try await transport.execute(request, on: MultiThreadedEventLoopGroup.singleton.any()).get()
                }
            }
            #expect(server.connectionCount == 0)
        }
    }

    @Test(
        .attack(.hostileDiscovery),
        arguments: TransportKind.allCases,
        [
            "127.0.0.1", "localhost", "10.0.0.1", "[::1]", "127.1", "idp.internal", "169.254.169.254", "[fe80::1]",
            "169.254.169.254.",
        ])
    func `a proxy is not asked for a host that says it is private`(
        kind: TransportKind, host: String
    ) async throws {
        // A link-local one is refused wherever the issuer is.
        let isLinkLocal = host.hasPrefix("169.254.") || host.hasPrefix("[fe80:")
        let addresses: ProviderTrust.Addresses = isLinkLocal ? .any : .publicOnly
        try await ConnectProxy.run { proxy in
            _ = try await withTransport(kind) { transport in
                await #expect(throws: ProviderTransportError.addressRefused) {
                    try await execute(
                        transport, "https://\(host)/jwks", through: proxy.port, addresses: addresses)
                }
            }
            #expect(proxy.tunnels.isEmpty)
        }
    }

    @Test(.attack(.proxyInTheWay), arguments: TransportKind.allCases)
    func `a relying party goes through its proxy for everything`(kind: TransportKind) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let provider = try await OpenIDProvider.start(OpenIDProvider.Configuration(), on: group)
        try await ConnectProxy.run { proxy in
            try await withTransport(kind) { transport in
                var configuration = ProviderConfiguration(
                    issuer: provider.issuer, clientID: "client", clientSecret: Secret("secret"),
                    redirectURI: "https://app.example/cb")
                configuration.insecureLoopbackIssuer = true
                configuration.proxy = Proxy(host: "127.0.0.1", port: proxy.port)
                let party = RelyingParty(configuration: configuration, transport: transport)
                let start = try await party.begin(using: group)
                let pending = start.pending
                await #expect(throws: RelyingPartyError.self) {
                    try await party.complete(
                        authorizationResponse: "code=c&state=\(pending.state)&iss=\(provider.issuer)", pending: pending,
                        using: group)
                }
            }
            let authority = try #require(AbsoluteURL(provider.issuer)?.authority)
            #expect(!proxy.tunnels.isEmpty)
            #expect(proxy.tunnels.allSatisfy { $0.target == authority })
            #expect(
                provider.recordedRequests().map(\.path) == ["/.well-known/openid-configuration", "/token"])
        }
        try await provider.shutdown()
    }
}
