// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBrokerOperations
import Testing

/// Addresses in the log.
struct SocketAddressTextTests {
    @Test(
        arguments: [("127.0.0.1", "127.0.0.1:19464"), ("0.0.0.0", "0.0.0.0:19464"), ("::1", "[::1]:19464")])
    func `an address is written as in a URL`(address: String, text: String) throws {
        #expect(try SocketAddress(ipAddress: address, port: 19464).text == text)
    }

    @Test func `of a Unix domain socket it is the path`() throws {
        #expect(try SocketAddress(unixDomainSocketPath: "/run/oidc-broker.sock").text == "/run/oidc-broker.sock")
    }
}
