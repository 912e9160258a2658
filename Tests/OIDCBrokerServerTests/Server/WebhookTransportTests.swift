// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import OIDCBroker
import OIDCBrokerServer
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// A webhook over a real socket, by every transport that the server may be told to use.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct WebhookTransportTests {
    private static func request(_ url: String) throws -> ProviderRequest {
        ProviderRequest(
            url: try #require(AbsoluteURL(url)),
            content: .bytes(
                Array("{}".utf8), fields: [("content-type", "application/json"), ("signature", "sig1=:AA==:")]),
            maximumResponseBytes: 1024, deadline: .now() + .seconds(30),
            trust: ProviderTrust(certificateAuthorities: nil, addresses: .any))
    }

    @Test(arguments: ProviderTransportKind.allCases)
    func `a webhook arrives as it was given, at a private address too; a redirect is a response`(
        kind: ProviderTransportKind
    ) async throws {
        try await WebhookReceiver.run { receiver, root in
            receiver.answer([.temporaryRedirect])
            let request = try Self.request(root + "/hook?x=1")
            let statuses = try await kind.withTransport(on: RunningServer.eventLoops) { transport in
                let first = try await transport.execute(request, on: RunningServer.eventLoops.any()).get()
                let second = try await transport.execute(request, on: RunningServer.eventLoops.any()).get()
                return [first.status, second.status]
            }
            #expect(statuses == [307, 204])
            #expect(receiver.received.count == 2)
            for received in receiver.received {
                #expect(received.head.method == .POST)
                #expect(received.head.uri == "/hook?x=1")
                #expect(received.head.headers["content-type"] == ["application/json"])
                #expect(received.head.headers["signature"] == ["sig1=:AA==:"])
                #expect(received.body == Array("{}".utf8))
            }
        }
    }

    @Test(arguments: ProviderTransportKind.allCases)
    func `after the shutdown no webhook is sent`(kind: ProviderTransportKind) async throws {
        try await WebhookReceiver.run { receiver, root in
            let transport = try await kind.withTransport(on: RunningServer.eventLoops) { $0 }
            let response = transport.execute(try Self.request(root), on: RunningServer.eventLoops.any())
            await #expect(throws: ProviderTransportError.interrupted) { try await response.get() }
            #expect(receiver.received.isEmpty)
        }
    }
}
