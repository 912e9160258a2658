// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerNIO
import Testing

/// The client address of a connection.
struct ClientAddressTests {
    private func address(_ text: String) throws -> ClientAddress? {
        ClientAddress(try SocketAddress(ipAddress: text, port: 443))
    }

    @Test(
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
            "127.9.8.7", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255",
            "224.0.0.1", "255.255.255.255", "::", "::1", "fc00::1", "fdff::1", "fe80::1", "febf::1", "ff02::1",
            "::ffff:127.0.0.1", "::ffff:10.1.2.3", "64:ff9b::10.0.0.1",
        ])
    func `an address outside the public internet is not a client's`(text: String) throws {
        #expect(try address(text) == nil)
    }

    @Test(
        arguments: [
            "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
            "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0",
            "223.255.255.255", "2001:db8::1", "2606:4700::1111", "fbff::1", "fe7f::1", "fec0::1", "::ffff:8.8.8.8",
        ])
    func `one of the public internet is a client's, also just beside what is not`(text: String) throws {
        #expect(try address(text) != nil)
    }

    @Test func `of IPv6 a /64 is one client, and the next /64 another`() throws {
        let one = try address("2001:db8:1:2::1")
        #expect(try address("2001:db8:1:2:ffff:ffff:ffff:ffff") == one)
        #expect(try address("2001:db8:1:3::1") != one)
        #expect(try address("2001:db8:1:1:ffff:ffff:ffff:ffff") != one)
    }

    @Test func `IPv4 is counted by the whole address, however it is written; never together with IPv6`() throws {
        let one = try address("198.51.100.7")
        #expect(try address("::ffff:198.51.100.7") == one)
        #expect(try address("64:ff9b::198.51.100.7") == one)
        #expect(try address("198.51.100.8") != one)
        // The same number, as the prefix of an IPv6 address.
        #expect(ClientAddress(bytes: [0, 0, 0, 0, 198, 51, 100, 7] + [UInt8](repeating: 0, count: 8)) != one)
        #expect(ClientAddress(bytes: [198, 51, 100, 7]) == one)
    }

    @Test(arguments: [0, 3, 5, 8, 15, 17])
    func `a text that is not an IP address is not a client's`(count: Int) throws {
        #expect(ClientAddress(bytes: [UInt8](repeating: 8, count: count)) == nil)
        #expect(ClientAddress(try SocketAddress(unixDomainSocketPath: "/tmp/socket")) == nil)
        #expect(ClientAddress(SocketAddress?.none) == nil)
    }
}
