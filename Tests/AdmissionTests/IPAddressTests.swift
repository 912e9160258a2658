// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Admission

/// Addresses as texts (RFC 4291 section 2.2, RFC 5952) and as bytes.
struct IPAddressTests {
    @Test(
        arguments: [
            // RFC 5952 section 1, and sections 4.1 to 4.3.
            ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("2001:0db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
            ("2001:db8::1:0:0:1", "2001:db8::1:0:0:1"), ("2001:db8::0:1:0:0:1", "2001:db8::1:0:0:1"),
            ("2001:0db8::1:0:0:1", "2001:db8::1:0:0:1"), ("2001:db8:0:0:1::1", "2001:db8::1:0:0:1"),
            ("2001:db8:0000:0:1::1", "2001:db8::1:0:0:1"), ("2001:DB8:0:0:1::1", "2001:db8::1:0:0:1"),
            ("2001:db8:aaaa:bbbb:cccc:dddd:eeee:0001", "2001:db8:aaaa:bbbb:cccc:dddd:eeee:1"),
            ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),
            ("2001:db8:0:0:0:0:2:1", "2001:db8::2:1"),
            ("2001:db8:aaaa:bbbb:cccc:dddd:eeee:AAAA", "2001:db8:aaaa:bbbb:cccc:dddd:eeee:aaaa"),
            ("::", "::"), ("0:0:0:0:0:0:0:0", "::"), ("::1", "::1"), ("1::", "1::"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
            ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"), ("1:0:0:4:0:0:0:8", "1:0:0:4::8"), ("fe80::1", "fe80::1"),
            // An IPv4 address at the end, which the canonical form does not use outside of the mapped ones.
            ("::198.51.100.7", "::c633:6407"), ("2001:db8::198.51.100.7", "2001:db8::c633:6407"),
            // What represents an IPv4 address is that one.
            ("::ffff:198.51.100.7", "198.51.100.7"), ("::FFFF:c633:6407", "198.51.100.7"),
            ("0:0:0:0:0:ffff:198.51.100.7", "198.51.100.7"), ("64:ff9b::198.51.100.7", "198.51.100.7"),
            ("64:ff9b::1:0:1", "64:ff9b::1:0:1"),
            ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"), ("10.0.0.10", "10.0.0.10"),
        ])
    func `a text has one canonical form`(text: String, canonical: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == canonical)
        #expect(IPAddress(canonical) == address)
    }

    @Test(
        arguments: [
            "", " ", ".", "1.2.3", "1.2.3.4.5", "1.2.3.", ".1.2.3", "1..2.3", "256.1.1.1", "1.1.1.999", "01.2.3.4",
            "1.2.3.04", "00.0.0.0", "1.2.3.4 ", " 1.2.3.4", "1.2.3.4\n", "1.2.3.4\0", "+1.2.3.4", "-1.2.3.4",
            "0x1.2.3.4",
            "1.2.3.a", "1,2,3,4", "1.2.3.4/32", "1.2.3.4:80", "3221225985", "1.2.3.\u{663}", "１.2.3.4",
            "1.2.3.4\u{301}",
            ":", ":::", "1", "12345::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8",
            "1::2::3", ":1::2", "1::2:", ":1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8:", "g::1", "::1%eth0", "fe80::1%1",
            "[::1]",
            "::1.2.3", "::1.2.3.4.5", "::01.2.3.4", "1.2.3.4::", "::1.2.3.4:5", "1:2:3:4:5:6:7:1.2.3.4",
            "::ffff:256.1.1.1",
            "::+1", "::-1", "::0x1", "::1 ", " ::1", "::\0", "::\u{ff11}", "unknown", "localhost", "_hidden",
        ])
    func `anything else is no address`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func `a long text is refused by its length`() {
        let longest = "1111:2222:3333:4444:5555:6666:255.255.255.255"
        #expect(longest.utf8.count == IPAddress.longestText)
        #expect(IPAddress(longest) != nil)
        #expect(IPAddress("0" + longest) == nil)
        #expect(IPAddress(String(repeating: ":", count: 1 << 20)) == nil)
        #expect(IPAddress(String(repeating: "1\u{301}", count: 1 << 20)) == nil)
    }

    @Test func `bytes give the address that the text gives, and only 4 or 16 of them do`() throws {
        #expect(IPAddress(bytes: [198, 51, 100, 7]) == IPAddress("198.51.100.7"))
        let bytes: [UInt8] = [0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
        #expect(IPAddress(bytes: bytes) == IPAddress("2001:db8::1"))
        for count in [0, 1, 3, 5, 8, 15, 17, 32] {
            #expect(IPAddress(bytes: [UInt8](repeating: 8, count: count)) == nil)
        }
    }

    @Test(
        arguments: [
            ("198.51.100.7", "198.51.100.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"), ("::1", "::"),
            // Not all of that /64 represents IPv4 addresses, and none of the others becomes one.
            ("64:ff9b::1:0:0:1", "64:ff9b::"),
        ])
    func `a client is an IPv4 address or an IPv6 /64`(text: String, client: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.client.description == client)
        #expect(address.client.isIPv4 == address.isIPv4)
        #expect(address.client.client == address.client)
    }

    @Test func `IPv4 and IPv6 addresses with the same number differ`() throws {
        #expect(IPAddress("10.0.0.1") != IPAddress("::a00:1"))
    }

    @Test(
        arguments: [
            ("127.0.0.1", true), ("127.255.255.255", true), ("128.0.0.0", false), ("126.255.255.255", false),
            ("::1", true), ("::2", false), ("::", false), ("::ffff:127.0.0.1", true), ("1::1", false),
            ("0.0.0.0", false),
        ])
    func `loopback`(text: String, isLoopback: Bool) {
        #expect(IPAddress(text)?.isLoopback == isLoopback)
    }
}
