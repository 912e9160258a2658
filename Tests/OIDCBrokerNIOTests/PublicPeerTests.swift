// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerNIO
import Testing

/// Which peers are clients if only addresses of the public internet are.
struct PublicPeerTests {
    private func client(_ text: String) throws -> ClientAddressing.Peer {
        ClientAddressing.publicPeer.peer(try SocketAddress(ipAddress: text, port: 443))
    }

    @Test(
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
            "127.9.8.7", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255",
            "224.0.0.1", "255.255.255.255", "::", "::1", "fc00::1", "fdff::1", "fe80::1", "febf::1", "ff02::1",
            "::ffff:127.0.0.1", "::ffff:10.1.2.3", "64:ff9b::10.0.0.1",
        ])
    func `an address outside the public internet is not a client's`(text: String) throws {
        #expect(try client(text) == .client(nil))
    }

    @Test(
        arguments: [
            "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
            "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0",
            "223.255.255.255", "2001:db8::1", "2606:4700::1111", "fbff::1", "fe7f::1", "fec0::1", "::ffff:8.8.8.8",
        ])
    func `one of the public internet is a client's, also just beside what is not`(text: String) throws {
        #expect(try client(text) == .client(IPAddress(text)))
    }

    @Test func `a peer without an IP address is no client`() throws {
        let local = try SocketAddress(unixDomainSocketPath: "/tmp/socket")
        #expect(ClientAddressing.publicPeer.peer(local) == .client(nil))
    }
}
