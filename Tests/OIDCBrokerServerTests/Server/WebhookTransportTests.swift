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
    private static func request(_ url: String) throws -> WebhookRequest {
        WebhookRequest(
            url: try #require(AbsoluteURL(url)),
            fields: [("content-type", "application/json"), ("signature", "sig1=:AA==:")], body: Array("{}".utf8),
            deadline: .now() + .seconds(30))
    }

    @Test(arguments: ProviderTransportKind.allCases)
    func `a webhook arrives as it was given, at a private address too; a redirect is a response`(
        kind: ProviderTransportKind
    ) async throws {
        try await WebhookReceiver.run { receiver, root in
            receiver.answer([.temporaryRedirect])
            let request = try Self.request(root + "/hook?x=1")
            let statuses = try await kind.withTransport(on: RunningServer.eventLoops) { transport in
                let webhooks = try #require(transport as? any WebhookTransport)
                let first = try await webhooks.send(request, on: RunningServer.eventLoops.any()).get()
                let second = try await webhooks.send(request, on: RunningServer.eventLoops.any()).get()
                return [first, second]
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
            let webhooks = try #require(transport as? any WebhookTransport)
            let response = webhooks.send(try Self.request(root), on: RunningServer.eventLoops.any())
            await #expect(throws: ProviderTransportError.interrupted) { try await response.get() }
            #expect(receiver.received.isEmpty)
        }
    }
}
