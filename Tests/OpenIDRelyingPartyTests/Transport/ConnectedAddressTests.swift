// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty
import Testing
import TestingSupport

@Suite struct ConnectedAddressTests {
    private func isAllowed(_ address: String, _ policy: ProviderTrust.Addresses) throws -> Bool {
        ConnectedAddress.isAllowed(try SocketAddress(ipAddress: address, port: 443), policy)
    }

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.1", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.1", "192.167.255.255",
        "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.1", "203.0.112.1", "223.255.255.255",
        "2606:4700::1111",
        "2001:4860:4860::8888", "2a00:1450::1", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1",
    ])
    func `a public address is always allowed`(address: String) throws {
        #expect(try isAllowed(address, .publicOnly))
        #expect(try isAllowed(address, .any))
    }

    @Test(
        .attack(.hostileDiscovery),
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
            "127.255.255.255", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.168.0.1",
            "192.168.255.255",
            "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1",
            "255.255.255.255", "::", "::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1", "::ffff:192.168.1.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b::7f00:1", "fc00::1", "fd00:ec2::254", "2001:db8::1", "ff02::1", "100::1", "::10.0.0.1",
            "2002:a00:1::", "2002:808:808::1", "2001::1", "2001:0:808:808::1",
        ])
    func `an address that is not public is allowed only where any is`(address: String) throws {
        #expect(try !isAllowed(address, .publicOnly))
        #expect(try isAllowed(address, .any))
    }

    @Test(
        .attack(.hostileDiscovery),
        arguments: [
            "169.254.169.254", "169.254.0.0", "169.254.255.255", "fe80::1", "febf:ffff::1", "::ffff:169.254.169.254",
            "64:ff9b::169.254.169.254", "64:ff9b::a9fe:a9fe",
        ])
    func `a link-local address, where clouds keep their metadata, is never allowed`(address: String) throws {
        #expect(try !isAllowed(address, .publicOnly))
        #expect(try !isAllowed(address, .any))
    }

    @Test(
        .attack(.hostileDiscovery),
        arguments: [
            ([10, 0, 0, 1], true), ([127, 0, 0, 1], true), ([1, 1, 1, 1], false), ([169, 254, 169, 254], false),
            ([0xFD] + [UInt8](repeating: 0, count: 15), true),
            ([0xFE, 0x80] + [UInt8](repeating: 0, count: 14), false),
            ([0x26, 0x06, 0x47, 0] + [UInt8](repeating: 1, count: 12), false),
        ] as [([UInt8], Bool)])
    func `where a private address is wanted a public one is refused, and a link-local one`(
        bytes: [UInt8], isAllowed: Bool
    ) {
        #expect(ConnectedAddress.isAllowed(bytes, .privateOnly) == isAllowed)
    }

    @Test func `a text that is not an IP address is never allowed`() throws {
        let socket = try SocketAddress(unixDomainSocketPath: "/tmp/socket")
        for policy in [ProviderTrust.Addresses.any, .publicOnly, .privateOnly] {
            #expect(!ConnectedAddress.isAllowed(nil as SocketAddress?, policy))
            #expect(!ConnectedAddress.isAllowed(socket, policy))
            #expect(!ConnectedAddress.isAllowed([], policy))
            #expect(!ConnectedAddress.isAllowed([1, 1, 1], policy))
            #expect(!ConnectedAddress.isAllowed([1, 1, 1, 1, 1], policy))
        }
    }

    @Test(arguments: [
        "localhost", "127.0.0.1", "::1", "10.1.2.3", "169.254.169.254", "idp", "idp.local", "idp.internal", "idp.lan",
        "idp.home.arpa", "idp.corp", "idp.test", "idp.intranet", "a.localhost", "fd00::1", "localhost.",
        "idp.internal.",
        "127.0.0.1.", "127.1", "2130706433", "0x7f.0.0.1", "0x7F000001", "1.2.3.0x4", "10.0.0", "1.2.3.4.5", "",
    ])
    func `an issuer that names a private host says so itself`(host: String) {
        #expect(ConnectedAddress.isPrivateHost(host))
    }

    @Test(arguments: [
        "accounts.google.com", "appleid.apple.com", "1.1.1.1", "2606:4700::1111", "local.example", "localhost.example",
        "test.example", "mylocal.example.com", "notinternal.example", "accounts.google.com.", "1.1.1.1.", "1.example",
        "x0x1.example", "127.0.0.1.example",
    ])
    func `any other issuer is a public one`(host: String) {
        #expect(!ConnectedAddress.isPrivateHost(host))
    }

    @Test(arguments: [
        ("169.254.169.254", true), ("169.254.169.254.", true), ("fe80::1", true), ("::ffff:169.254.169.254", true),
        ("127.0.0.1", false), ("10.0.0.1", false), ("1.1.1.1", false), ("localhost", false), ("idp.example", false),
        ("", false),
    ])
    func `a link-local literal is known as one`(host: String, isLinkLocal: Bool) {
        #expect(ConnectedAddress.isLinkLocalHost(host) == isLinkLocal)
    }
}
