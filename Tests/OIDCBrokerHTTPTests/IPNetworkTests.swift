// SPDX-License-Identifier: Apache-2.0

import Admission
import Testing

@testable import OIDCBrokerHTTP

/// Networks of addresses (RFC 4632), and lists of them.
struct IPNetworkTests {
    @Test(
        arguments: [
            ("10.0.0.0/8", "10.0.0.0/8"), ("10.1.2.3", "10.1.2.3/32"), ("10.1.2.3/32", "10.1.2.3/32"),
            ("128.0.0.0/1", "128.0.0.0/1"), ("2001:db8::/32", "2001:db8::/32"), ("2001:DB8:0::/48", "2001:db8::/48"),
            ("::1", "::1/128"), ("8000::/1", "8000::/1"), ("2001:db8:0:0:8000::/65", "2001:db8:0:0:8000::/65"),
            ("::ffff:10.1.2.3", "10.1.2.3/32"),
        ])
    func `is an address with a prefix length`(text: String, canonical: String) throws {
        let network = try #require(IPNetwork(text))
        #expect(network.description == canonical)
        #expect(IPNetwork(canonical) == network)
    }

    @Test(
        arguments: [
            // All addresses, in any spelling.
            "0.0.0.0/0", "::/0", "1.2.3.4/0", "0.0.0.0/00", "::ffff:0:0/96", "::ffff:0.0.0.0/0", "64:ff9b::/96",
            // Bits behind the prefix: 10.0.0.0/24 and 10.0.0.1 are both possible.
            "10.0.0.1/24", "10.0.0.1/8", "255.255.255.255/31", "2001:db8::1/64", "2001:db8:1::/32", "::1/1",
            "8000::/65x",
            // A prefix of 24 bits of an IPv6 address, whose text looks like a network of IPv4.
            "::ffff:10.0.0.0/24", "::ffff:10.0.0.0/120",
            "10.0.0.0/33", "10.0.0.0/128", "::/129", "10.0.0.0/", "10.0.0.0/8/8", "/8", "10.0.0.0/-1", "10.0.0.0/+8",
            "10.0.0.0/08", "10.0.0.0/ 8", "10.0.0.0 /8", "10.0.0.0/8 ", "10.0.0.0/1000",
            "10.0.0.0/999999999999999999999",
            "10/8", "10.0.0/8", "10.0.0.0/255.0.0.0", "localhost", "", "all", "10.0.0.0/\u{668}",
        ])
    func `anything else is none`(text: String) {
        #expect(IPNetwork(text) == nil)
    }

    @Test(
        arguments: [
            ("10.0.0.0/8", "10.0.0.0", true), ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
            ("10.0.0.0/8", "9.255.255.255", false), ("10.0.0.0/8", "::ffff:10.1.2.3", true),
            ("10.0.0.0/8", "::a00:1", false), ("10.1.2.3", "10.1.2.3", true), ("10.1.2.3", "10.1.2.2", false),
            ("128.0.0.0/1", "255.0.0.1", true), ("128.0.0.0/1", "127.255.255.255", false),
            ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::", false),
            ("2001:db8::/64", "2001:db8::ffff:ffff:ffff:ffff", true), ("2001:db8::/64", "2001:db8:0:1::", false),
            ("2001:db8:0:0:8000::/65", "2001:db8::ffff:0:0:1", true), ("2001:db8:0:0:8000::/65", "2001:db8::1", false),
            ("2001:db8::2/127", "2001:db8::3", true), ("2001:db8::2/127", "2001:db8::1", false),
            ("8000::/1", "ffff::", true), ("8000::/1", "7fff::", false), ("8000::/1", "200.1.2.3", false),
        ])
    func `contains its addresses alone`(network: String, address: String, isContained: Bool) throws {
        let address = try #require(IPAddress(address))
        let network = try #require(IPNetwork(network))
        #expect(network.contains(address) == isContained)
    }

    @Test func `at most 256 networks are trusted, and an address is in any of them`() throws {
        let networks = try (0...256).map { number in
            try #require(IPNetwork("10.\(number / 256).\(number % 256).0/24"))
        }
        #expect(TrustedProxies(networks) == nil)
        let proxies = try #require(TrustedProxies(Array(networks.prefix(256))))
        let (inside, outside) = (try #require(IPAddress("10.0.255.1")), try #require(IPAddress("10.1.0.1")))
        #expect(proxies.contains(inside))
        #expect(!proxies.contains(outside))
        #expect(!proxies.isEmpty)
        #expect(TrustedProxies.none.isEmpty)
        #expect(!TrustedProxies.none.contains(inside))
    }
}
