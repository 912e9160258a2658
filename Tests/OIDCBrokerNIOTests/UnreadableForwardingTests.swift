// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import NIOEmbedded
import OIDCBroker
import Testing
import TestingSupport

@testable import OIDCBrokerHTTP
@testable import OIDCBrokerNIO

/// Forwarding fields of a trusted proxy that name no client are counted by the broker, once for each request.
struct UnreadableForwardingTests {
    @Test func `a field that cannot be read is counted, and neither another one nor that of a stranger`() throws {
        let proxies = try #require(TrustedProxies(["10.0.0.0/8"].compactMap { IPNetwork($0) }))
        for (peer, count) in [("10.0.0.1", 2), ("198.51.100.1", 0)] {
            let connection = try Connection(clientAddressing: .forwarded(in: .xForwardedFor, by: proxies))
            defer { connection.finish() }
            connection.channel.remoteAddress = try SocketAddress(ipAddress: peer, port: 40_000)
            for field in [
                "X-Forwarded-For: unknown", "X-Forwarded-For: 198.51.100.7", "X-Forwarded-For: \"", "Accept: \"",
            ] {
                try connection.send(Messages.get("/__/auth/handler", field))
            }
            #expect(connection.stub.seen.count == 4)
            #expect(connection.stub.unreadableForwardings == count)
        }
    }
}
