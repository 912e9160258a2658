// SPDX-License-Identifier: Apache-2.0

//! The broker as an async function, for servers that do not use channel handlers. In the page OIDCBroker.
// snippet.hide

import HTTPTypes
import Logging
import NIOCore
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OpenIDRelyingParty

func respond(
    to head: HTTPRequest, body: ByteBuffer, path: String, configuration: BrokerConfiguration,
    on group: any EventLoopGroup, logger: Logger
) async throws {
    // snippet.show
    let broker = try Broker(
        configuration: configuration,
        transport: AsyncHTTPClientTransport(eventLoopGroup: group),
        logger: logger)

    if broker.handles(path: path) {
        let response = await broker.respond(to: BrokerRequest(head: head, body: body), using: group)
        // Send `response.head` and `response.body`, with a content-length.
        // snippet.hide
        _ = (response.head, response.body)
        // snippet.show
    }
    // snippet.hide
}
