// SPDX-License-Identifier: Apache-2.0

import Admission
import FuzzingSupport
import JOSE
import Testing
import TestingSupport

@testable import OIDCBrokerHTTP

/// Forwarding fields of any kind, before what a proxy appended and alone.
@Suite(.onSockets)
struct ForwardedFieldFuzzTests {
    private static let corpus: [ForwardedField: [String]] = [
        .xForwardedFor: [
            "198.51.100.7", "198.51.100.7, 10.0.0.2", "2001:db8::7, 10.0.0.3", "[2001:db8::7]:443, 10.0.0.2",
            "203.0.113.9, 198.51.100.7:80,10.0.0.2 , ::ffff:10.0.0.3", "unknown, 10.0.0.2", "fe80::1%eth0", ",, ,",
        ],
        .forwarded: [
            "for=198.51.100.7", "for=198.51.100.7;proto=https;by=10.0.0.1, for=10.0.0.2",
            "for=10.0.0.2, for=10.0.0.3", ", ,", "for=\"[2001:db8::7]:443\", for=10.0.0.2",
            "for=_hidden, for=\"10.0.0.2\"", "for=unknown",
            "by=\"a,b;\\\"c\\\\\";for=198.51.100.7", "For=\"\\198.51.100.7\" ; for=1.1.1.1", "for=\"198.51.100.7",
        ],
    ]

    private static let dictionary = [
        ",", ", ", ";", "; ", "=", "\"", "\\", "\\\"", "\\\\", "for=", "FOR=", "by=", "[", "]", ":", "::", ".",
        "10.0.0.2",
        "198.51.100.7", "\t", "\0", "\u{e4}", "\u{301}", "unknown", "_x", "%", "0", "255", "256", "ffff",
    ]

    private static func proxies() throws -> TrustedProxies {
        try #require(TrustedProxies(["10.0.0.0/8"].compactMap { IPNetwork($0) }))
    }

    @Test(arguments: [ForwardedField.xForwardedFor, .forwarded])
    func `an address stands in the field or is a proxy's, and nothing hides what a proxy appends`(
        field: ForwardedField
    ) throws {
        let found = try FoundInputs.bytes(for: field.rawValue)
        let known = try #require(Self.corpus[field]).map { Array($0.utf8) } + found
        var mutator = Mutator(
            corpus: known, dictionary: Self.dictionary.map { Array($0.utf8) }, separators: [UInt8(ascii: ",")],
            longest: 8192, seed: 0x6677_6421)
        let (trusted, peer) = (try Self.proxies(), try #require(IPAddress("10.0.0.1")))
        let client = try #require(IPAddress("192.0.2.99"))
        let appended = Array((field == .forwarded ? "for=192.0.2.99" : "192.0.2.99").utf8)
        var verdicts: [String: Int] = [:]
        for round in 0..<8000 {
            let input = round < known.count ? known[round] : mutator.next()
            func resolve(_ lines: [[UInt8]]) -> ForwardedClient {
                ForwardedClient.resolve(behind: peer, lines: lines, field: field, trusted: trusted)
            }
            let alone = resolve([input])
            var violation: String?
            if let address = alone.client {
                if alone.wasUnreadable {
                    verdicts["unreadable", default: 0] += 1
                    if !trusted.contains(address) { violation = "an unreadable field names a client" }
                } else if trusted.contains(address) {
                    verdicts["proxy", default: 0] += 1
                } else {
                    verdicts["client", default: 0] += 1
                    if !input.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") }) {
                        violation = "an address that stands nowhere"
                    }
                }
            } else {
                violation = "no client, though the proxy has an address"
            }
            // What a client wrote stands before a proxy's element, in its line or in one of its own.
            let expected = ForwardedClient(client: client, wasUnreadable: false)
            if resolve([input + [UInt8(ascii: ",")] + appended]) != expected { violation = "hidden in the line" }
            if resolve([input, appended]) != expected { violation = "hidden in the next line" }
            if let violation { Issue.record("round \(round), \(violation): \(Base64.encode(input))") }
        }
        for verdict in ["unreadable", "proxy", "client"] { #expect(verdicts[verdict, default: 0] > 100, "\(verdict)") }
    }

    @Test func `texts of addresses and networks have a canonical form, or are none`() throws {
        let texts = [
            "198.51.100.7", "10.0.0.0/8", "2001:db8::/32", "2001:db8:1:2:3:4:5:6", "::ffff:198.51.100.7", "::",
            "::1/128",
            "64:ff9b::198.51.100.7", "1:2:3:4:5:6:1.2.3.4", "1::8",
        ]
        let known = texts.map { Array($0.utf8) } + (try FoundInputs.bytes(for: "address"))
        var mutator = Mutator(
            corpus: known,
            dictionary: ["::", ":", ".", "/", "0", "ffff", "255", "/0", "/64", "\0"].map { Array($0.utf8) },
            separators: [UInt8(ascii: ":")], longest: 64, seed: 0x6164_6472)
        var addresses = 0
        var networks = 0
        for round in 0..<8000 {
            let input = round < known.count ? known[round] : mutator.next()
            if let address = IPAddress(utf8: input[...]) {
                addresses += 1
                if IPAddress(address.description) != address {
                    Issue.record("round \(round), another address: \(Base64.encode(input))")
                }
            }
            if let network = IPNetwork(String(decoding: input, as: UTF8.self)) {
                networks += 1
                if IPNetwork(network.description) != network || !network.contains(network.address)
                    || network.prefixLength < 1
                {
                    Issue.record("round \(round), another network: \(Base64.encode(input))")
                }
            }
        }
        #expect(addresses > 100)
        #expect(networks > 100)
    }
}
