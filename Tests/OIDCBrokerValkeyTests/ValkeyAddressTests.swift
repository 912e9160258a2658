// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import OIDCBrokerValkey

/// The address of a server, as the configuration has it.
struct ValkeyAddressTests {
    @Test(arguments: [
        ("cache:6379", ValkeyAddress.host("cache", port: 6379)), ("10.0.0.1:1", .host("10.0.0.1", port: 1)),
        ("[::1]:65535", .host("::1", port: 65_535)), ("/run/s", .socket(path: "/run/s")),
        ("a_b.c-d:80", .host("a_b.c-d", port: 80)),
    ])
    func `is read`(text: String, address: ValkeyAddress) {
        #expect(ValkeyAddress(text) == address)
    }

    @Test(arguments: [
        "", "cache", ":6379", "cache:", "cache:0", "cache:65536", "cache:06379", "cache:6379x", "cache:-1", "::1:6379",
        "[::1]", "[cache]:1", "[]:1", "[::1:1", "user@cache:1", "redis://cache:1", "a b:1", "\u{e9}:1", "/a\0b",
        "/" + String(repeating: "x", count: 107), String(repeating: "x", count: 254) + ":1",
    ])
    func `is refused`(text: String) {
        #expect(ValkeyAddress(text) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1:1", true), ("10.255.0.1:1", true), ("172.16.0.1:1", true), ("172.32.0.1:1", false),
        ("192.168.3.4:1", true), ("192.169.0.1:1", false), ("8.8.8.8:1", false), ("[::1]:1", true), ("[::2]:1", false),
        ("[fd00::1]:1", true), ("[2001:db8::1]:1", false), ("[::ffff:10.0.0.1]:1", true),
        ("[::ffff:8.8.8.8]:1", false), ("/run/s", true), ("cache.example:1", true),
    ])
    func `without TLS it is on this machine or in a private network`(text: String, mayBe: Bool) {
        #expect(ValkeyAddress(text)?.mayBePrivate == mayBe)
    }
}
