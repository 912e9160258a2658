// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBrokerServer
import OpenIDConnect
import OpenIDRelyingParty
import OpenIDRelyingPartyNIO
import Testing

/// Kinds of the provider transport.
struct ProviderTransportKindTests {
    private struct Unwilling: Error {}

    @Test func `create the transport of that name`() async throws {
        let isAsyncHTTPClient = try await ProviderTransportKind.asyncHTTPClient.withTransport(
            on: RunningServer.eventLoops
        ) { $0 is AsyncHTTPClientTransport }
        #expect(isAsyncHTTPClient)
        let isNIO = try await ProviderTransportKind.nio.withTransport(on: RunningServer.eventLoops) {
            $0 is NIOTransport
        }
        #expect(isNIO)
    }

    @Test(arguments: ProviderTransportKind.allCases)
    func `shut the transport down after the body`(kind: ProviderTransportKind) async throws {
        let transport = try await kind.withTransport(on: RunningServer.eventLoops) { $0 }
        try await Self.expectShutdown(of: transport)
    }

    @Test(
        arguments: ProviderTransportKind.allCases)
    func `shut the transport down after a body that fails, and let its error through`(kind: ProviderTransportKind)
        async throws
    {
        var made: (any ProviderTransport)?
        do {
            try await kind.withTransport(on: RunningServer.eventLoops) { transport in
                made = transport
                throw Unwilling()
            }
            Issue.record("the error is gone")
        } catch is Unwilling {
            // The error of the body.
        }
        try await Self.expectShutdown(of: try #require(made))
    }

    /// Nothing more is sent.
    private static func expectShutdown(of transport: any ProviderTransport) async throws {
        let request = ProviderRequest(
            url: try #require(AbsoluteURL("http://127.0.0.1:1/")), maximumResponseBytes: 1024,
            deadline: .now() + .seconds(30),
            trust: ProviderTrust(certificateAuthorities: nil, addresses: .any))
        let response = transport.execute(request, on: RunningServer.eventLoops.any())
        await #expect(throws: ProviderTransportError.interrupted) { try await response.get() }
    }
}
