// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOEmbedded
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerHTTP

/// The async overload.
struct AsyncOverloadTests {
    private static func broker() throws -> Broker { try Installation().broker }

    @Test func `answers as the event loop's does`() async throws {
        let broker = try Self.broker()
        let eventLoop = NIOAsyncTestingEventLoop()
        let request = BrokerRequest(
            head: HTTPRequest(
                method: .get, scheme: "https", authority: "auth.example.com", path: AppClient.shop.target()))
        let response = await broker.respond(to: request, using: eventLoop)
        #expect(try Location(response).base == "https://login.acme.example/authorize")
        let page = await broker.respond(
            to: BrokerRequest(
                head: HTTPRequest(
                    method: .get, scheme: "https", authority: "auth.example.com", path: "/__/auth/nothing")),
            using: eventLoop)
        #expect(page.status == 404)
    }
}
