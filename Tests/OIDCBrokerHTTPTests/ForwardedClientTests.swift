// SPDX-License-Identifier: Apache-2.0

import Admission
import Testing

@testable import OIDCBrokerHTTP

/// The client behind trusted proxies, 10.0.0.0/8 and 2001:db8:aa::/48; the connection's peer is 10.0.0.1.
struct ForwardedClientTests {
    /// A row of a table: the lines of the field, and the client that they give.
    struct Row: Sendable, CustomTestStringConvertible {
        let lines: [String]
        let client: String
        var wasUnreadable = false

        init(lines: [String], _ client: String, unreadable: Bool = false) {
            self.lines = lines
            self.client = client
            wasUnreadable = unreadable
        }

        init(_ line: String, _ client: String, unreadable: Bool = false) {
            self.init(lines: [line], client, unreadable: unreadable)
        }

        /// An element that cannot be read: the proxy is the client.
        static func unreadable(_ line: String) -> Row { Row(line, "10.0.0.1", unreadable: true) }

        var testDescription: String { lines.map { String($0.prefix(60)) }.joined(separator: " | ") }
    }

    private static let spoofed = "203.0.113.66"

    /// `count` elements of trusted proxies.
    private static func proxies(_ count: Int, _ prefix: String = "") -> String {
        (0..<count).map { "\(prefix)10.0.0.\($0 % 200 + 2)" }.joined(separator: ", ")
    }

    private static let forwardedFor: [Row] = [
        // nginx, `$remote_addr` and `$proxy_add_x_forwarded_for`; haproxy, `option forwardfor`, which adds a line.
        Row("198.51.100.7", "198.51.100.7"), Row("\(spoofed), 198.51.100.7", "198.51.100.7"),
        Row(lines: [spoofed, "198.51.100.7"], "198.51.100.7"), Row("2001:db8::7", "2001:db8::7"),
        Row("198.51.100.7, 10.0.0.2", "198.51.100.7"), Row("198.51.100.7, 10.0.0.2, 10.0.0.3", "198.51.100.7"),
        Row(lines: ["198.51.100.7", "10.0.0.2", "10.0.0.3"], "198.51.100.7"),
        Row("\(spoofed), 198.51.100.7, 10.0.0.2", "198.51.100.7"),
        Row("198.51.100.7, 2001:db8:aa::2", "198.51.100.7"), Row("198.51.100.7, ::ffff:10.0.0.2", "198.51.100.7"),
        // A proxy that is not trusted is the client, whatever it says.
        Row("\(spoofed), 192.0.2.1", "192.0.2.1"), Row("\(spoofed), 192.0.2.1, 10.0.0.2", "192.0.2.1"),
        // A trusted proxy's own request, and none at all.
        Row("10.0.0.2", "10.0.0.2"), Row("10.0.0.2, 10.0.0.3", "10.0.0.2"), Row(lines: [], "10.0.0.1"),
        // White space and empty elements.
        Row("198.51.100.7,10.0.0.2", "198.51.100.7"), Row(" \t198.51.100.7\t ,\t 10.0.0.2 ", "198.51.100.7"),
        Row("198.51.100.7,", "198.51.100.7"), Row("198.51.100.7, , ,10.0.0.2,,", "198.51.100.7"),
        Row("", "10.0.0.1"), Row(" \t ", "10.0.0.1"), Row(",,,", "10.0.0.1"),
        Row(lines: ["198.51.100.7", ""], "198.51.100.7"),
        // Ports and brackets.
        Row("198.51.100.7:49152", "198.51.100.7"), Row("[2001:db8::7]:49152", "2001:db8::7"),
        Row("[2001:db8::7]", "2001:db8::7"), Row("198.51.100.7:1, 10.0.0.2:65535", "198.51.100.7"),
        Row("::ffff:198.51.100.7", "198.51.100.7"), Row("[::ffff:198.51.100.7]:80", "198.51.100.7"),
        Row.unreadable("198.51.100.7:"), Row.unreadable("198.51.100.7:123456"), Row.unreadable("198.51.100.7:8a"),
        Row.unreadable("198.51.100.7:_hidden"), Row.unreadable("[2001:db8::7]:"), Row.unreadable("[2001:db8::7]x"),
        Row.unreadable("[2001:db8::7"), Row.unreadable("2001:db8::7]"), Row.unreadable("[198.51.100.7]"),
        Row.unreadable("[]"), Row.unreadable("["), Row.unreadable(":80"), Row.unreadable("[[2001:db8::7]]"),
        // A zone, names, identifiers, the other field's spelling, and what is no text of an address.
        Row.unreadable("fe80::1%eth0"), Row.unreadable("[fe80::1%25eth0]"), Row.unreadable("unknown"),
        Row.unreadable("localhost"), Row.unreadable("_hidden"), Row.unreadable("for=198.51.100.7"),
        Row.unreadable("\"198.51.100.7\""), Row.unreadable("198.51.100.7 198.51.100.8"),
        Row.unreadable("198.51.100.7; 198.51.100.8"), Row.unreadable("198.51.100.7\0"), Row.unreadable("\0"),
        Row.unreadable("198.51.100.\u{667}"), Row.unreadable("198.51.100.7\u{301}"), Row.unreadable("\u{fffd}"),
        Row.unreadable("198.051.100.007"), Row.unreadable("3325256711"), Row.unreadable("198.51.100.7/32"),
        Row.unreadable(String(repeating: "1", count: 30_000)), Row.unreadable(String(repeating: "[", count: 30_000)),
        // What cannot be read stands to the left of a client, and is never read; or behind a trusted proxy.
        Row("unknown, 198.51.100.7", "198.51.100.7"), Row("\u{fffd}\0\", 198.51.100.7", "198.51.100.7"),
        Row("unknown, 10.0.0.2", "10.0.0.2", unreadable: true),
        Row("198.51.100.7, unknown, 10.0.0.2", "10.0.0.2", unreadable: true),
        Row(lines: ["unknown", "10.0.0.2", "10.0.0.3"], "10.0.0.2", unreadable: true),
        // 32 elements are read, and one more is not.
        Row("198.51.100.7, " + proxies(31), "198.51.100.7"),
        Row("198.51.100.7, " + proxies(32), "10.0.0.2", unreadable: true),
        Row("198.51.100.7" + String(repeating: ",", count: 31), "198.51.100.7"),
        Row("198.51.100.7" + String(repeating: ",", count: 32), "10.0.0.1", unreadable: true),
        Row(lines: Array(repeating: "", count: 33), "10.0.0.1", unreadable: true),
        Row(lines: ["198.51.100.7", proxies(20), proxies(11)], "198.51.100.7"),
        Row(lines: ["198.51.100.7", proxies(20), proxies(12)], "10.0.0.2", unreadable: true),
        Row(proxies(10_000) + ", 198.51.100.7", "198.51.100.7"), Row(proxies(10_000), "10.0.0.170", unreadable: true),
    ]

    private static let forwarded: [Row] = [
        // RFC 7239 sections 4 and 6, and haproxy's `option forwarded`.
        Row("for=198.51.100.7", "198.51.100.7"), Row("for=198.51.100.7;proto=http;by=203.0.113.43", "198.51.100.7"),
        Row("For=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17"),
        Row("proto=https;for=198.51.100.7", "198.51.100.7"),
        Row("for=\"[2001:db8::7]\"", "2001:db8::7"), Row("for=192.0.2.43, for=198.51.100.17", "198.51.100.17"),
        Row("for=198.51.100.7, for=10.0.0.2", "198.51.100.7"),
        Row(lines: ["for=198.51.100.7", "for=10.0.0.2"], "198.51.100.7"),
        Row("for=198.51.100.7, for=\"[2001:db8:aa::2]\";by=\"_a,b\"", "198.51.100.7"),
        // haproxy, `http-request set-header Forwarded "for=%[src]"`: without quotation marks for IPv6 it is no token.
        Row.unreadable("for=2001:db8::7"), Row.unreadable("for=[2001:db8::7]"), Row.unreadable("for=\"2001:db8::7\""),
        Row.unreadable("for=198.51.100.7:80"), Row("for=\"198.51.100.7:80\"", "198.51.100.7"),
        Row("for=\"198.51.100.7:_x.y-z\"", "198.51.100.7"), Row.unreadable("for=\"198.51.100.7:_\""),
        Row.unreadable("for=\"198.51.100.7:_a b\""), Row.unreadable("for=\"[198.51.100.7]\""),
        // Names in any case, white space beside semicolons and commas, empty pairs and elements.
        Row("FOR=198.51.100.7", "198.51.100.7"), Row("fOr=198.51.100.7 ; proto=https", "198.51.100.7"),
        Row(";;for=198.51.100.7;", "198.51.100.7"), Row(", ,\tfor=198.51.100.7 ,,", "198.51.100.7"),
        Row.unreadable("for =198.51.100.7"), Row.unreadable("for= 198.51.100.7"), Row.unreadable("for"),
        Row.unreadable("for="), Row.unreadable("for=\"\""), Row.unreadable("=198.51.100.7"),
        Row.unreadable("for==198.51.100.7"),
        Row.unreadable("proto=https"), Row.unreadable(";"), Row.unreadable("198.51.100.7"),
        Row.unreadable("fors=198.51.100.7"),
        Row.unreadable("for\u{301}=198.51.100.7"), Row.unreadable("\u{212a}or=198.51.100.7"),
        // The same name twice.
        Row.unreadable("for=198.51.100.7;for=198.51.100.7"), Row.unreadable("for=10.0.0.2;FOR=198.51.100.7"),
        // Unknown and obfuscated.
        Row.unreadable("for=unknown"), Row.unreadable("for=_hidden"), Row.unreadable("for=\"_SEVKISEK\""),
        Row("for=_secret, for=198.51.100.7", "198.51.100.7"),
        Row("for=_secret, for=10.0.0.2", "10.0.0.2", unreadable: true),
        // Quoted strings: escapes, commas and semicolons inside, no end, no beginning.
        Row("for=\"\\198.51.10\\0.7\"", "198.51.100.7"), Row("for=\"\\[2001:db8::7\\]\"", "2001:db8::7"),
        Row("for=198.51.100.7;by=\"a,for=\\\"1.2.3.4\\\",b\"", "198.51.100.7"),
        Row("for=198.51.100.7;by=\"\\\\\"", "198.51.100.7"), Row("for=198.51.100.7;by=\"x;for=y\"", "198.51.100.7"),
        Row.unreadable("for=\"198.51.100.7"), Row.unreadable("for=198.51.100.7\""),
        Row.unreadable("for=198.51.100.7;by=\"\\\""),
        Row.unreadable("for=\"198.51.100.7\"x"), Row.unreadable("for=\"198.51.100.7\" proto=https"),
        Row.unreadable("for=\"198.51.100.7\\"), Row.unreadable("for=\"198.51.100.7\0\""),
        Row.unreadable("for=198.51.100.7\0"),
        Row.unreadable("for=\"198.51.100.7\u{301}\""), Row.unreadable("for=198.51.100.\u{667}"),
        Row("for=198.51.100.7;by=\"\u{e4}\"", "198.51.100.7"), Row.unreadable("for=198.51.100.7;by=\u{e4}"),
        // A client's open quotation mark does not swallow what a proxy appended, in the same line or the next.
        Row("for=\"\(spoofed), for=198.51.100.7", "198.51.100.7"),
        Row(lines: ["for=\"\(spoofed)", "for=198.51.100.7"], "198.51.100.7"),
        Row("for=\(spoofed);by=\", for=\"[2001:db8::7]\"", "2001:db8::7"),
        Row("for=\(spoofed);by=\"\\, for=\"198.51.100.7:1\";by=\"[2001:db8:aa::2]\"", "198.51.100.7"),
        Row("\\\\\\\", for=198.51.100.7", "198.51.100.7"),
        Row("for=\"\(spoofed), for=10.0.0.2", "10.0.0.2", unreadable: true),
        // Bounds.
        Row("for=198.51.100.7, " + proxies(31, "for="), "198.51.100.7"),
        Row("for=198.51.100.7, " + proxies(32, "for="), "10.0.0.2", unreadable: true),
        Row(proxies(10_000, "for=") + ", for=198.51.100.7", "198.51.100.7"),
        Row.unreadable("for=\"" + String(repeating: "\\1", count: 15_000) + "\""),
        Row.unreadable(String(repeating: "\"", count: 30_001)),
        Row.unreadable(String(repeating: "\\", count: 30_000) + "\""),
        Row.unreadable(String(repeating: ";", count: 30_000)),
        Row.unreadable("for=" + String(repeating: "a", count: 30_000)),
        Row(lines: [], "10.0.0.1"), Row("", "10.0.0.1"),
    ]

    private static func trusted() throws -> TrustedProxies {
        try #require(TrustedProxies(["10.0.0.0/8", "2001:db8:aa::/48"].compactMap { IPNetwork($0) }))
    }

    private func check(_ row: Row, _ field: ForwardedField) throws {
        let resolved = ForwardedClient.resolve(
            behind: IPAddress("10.0.0.1"), lines: row.lines.map { Array($0.utf8) }, field: field,
            trusted: try Self.trusted())
        #expect(resolved.client?.description == row.client)
        #expect(resolved.wasUnreadable == row.wasUnreadable)
    }

    @Test(arguments: forwardedFor) func `X-Forwarded-For`(row: Row) throws { try check(row, .xForwardedFor) }

    @Test(arguments: forwarded) func `Forwarded`(row: Row) throws { try check(row, .forwarded) }

    @Test func `bytes that are no text cannot be read`() throws {
        for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], Array("198.51.100.7".utf8) + [0xE2, 0x82], [0x80, 0x2C]] {
            let resolved = ForwardedClient.resolve(
                behind: IPAddress("10.0.0.1"), lines: [bytes], field: .xForwardedFor, trusted: try Self.trusted())
            #expect(resolved == ForwardedClient(client: IPAddress("10.0.0.1"), wasUnreadable: true))
        }
    }

    @Test(arguments: [ForwardedField.xForwardedFor, .forwarded])
    func `a proxy on a Unix domain socket has no address that could be the client's`(field: ForwardedField) throws {
        let prefix = field == .forwarded ? "for=" : ""
        for (line, client, wasUnreadable) in [
            ("198.51.100.7", "198.51.100.7", false), ("unknown", nil, true), ("10.0.0.2", "10.0.0.2", false),
        ] as [(String, String?, Bool)] {
            let resolved = ForwardedClient.resolve(
                behind: nil, lines: [Array((prefix + line).utf8)], field: field, trusted: try Self.trusted())
            #expect(resolved.client?.description == client)
            #expect(resolved.wasUnreadable == wasUnreadable)
        }
        let none = ForwardedClient.resolve(behind: nil, lines: [], field: field, trusted: .none)
        #expect(none == ForwardedClient(client: nil, wasUnreadable: false))
    }

    @Test func `without a field nothing is read`() throws {
        let resolved = ForwardedClient.resolve(
            behind: IPAddress("10.0.0.1"), lines: [], field: .none, trusted: try Self.trusted())
        #expect(resolved == ForwardedClient(client: IPAddress("10.0.0.1"), wasUnreadable: false))
    }
}
