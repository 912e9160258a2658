// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerValkey

/// What sentinels say of a primary.
struct SentinelAnswersTests {
    private func answer(_ host: String, _ port: String) -> RESPValue {
        .array([.bulk(Array(host.utf8)), .bulk(Array(port.utf8))])
    }

    @Test func `an address is a host and a port`() throws {
        #expect(try SentinelAnswers.primary(answer("10.0.0.1", "6379")) == .host("10.0.0.1", port: 6379))
        #expect(try SentinelAnswers.primary(answer("redis-1.test", "65535")) == .host("redis-1.test", port: 65_535))
        #expect(try SentinelAnswers.primary(answer("fd00::1", "1")) == .host("fd00::1", port: 1))
        #expect(try SentinelAnswers.primary(.null) == nil)
    }

    @Test func `everything else is refused`() {
        let wrong: [(host: String, port: String)] = [
            ("10.0.0.1", "0"), ("10.0.0.1", "65536"), ("10.0.0.1", ""), ("10.0.0.1", "x"), ("10.0.0.1", "-1"),
            ("10.0.0.1", "99999999999999999999"), ("", "6379"), ("/tmp/socket", "6379"), ("[::1]", "6379"),
            ("a b", "6379"), ("a:b", "6379"), ("::1]", "6379"), ("a\r\nb", "6379"), (":", "6379"), ("a", "1:2"),
        ]
        for (host, port) in wrong {
            #expect(throws: ValkeyStoreError.unexpectedAnswer, "\(host) \(port)") {
                try SentinelAnswers.primary(answer(host, port))
            }
        }
        let others: [RESPValue] = [
            .simple("OK"), .integer(1), .array([]), .array([.bulk([0x61])]), .array([.integer(1), .integer(2)]),
        ]
        for other in others {
            #expect(throws: ValkeyStoreError.unexpectedAnswer) { try SentinelAnswers.primary(other) }
        }
        #expect(throws: ValkeyStoreError.wrongPassword) { try SentinelAnswers.primary(.error("NOAUTH no")) }
    }

    @Test func `a message names the primary and its new address`() {
        let switched = SwitchedPrimary(message: Array("broker 10.0.0.1 6379 10.0.0.2 6380".utf8))
        #expect(switched?.name == "broker")
        #expect(switched?.address == .host("10.0.0.2", port: 6380))
        let wrong = [
            "", " ", "broker", "broker 10.0.0.1 6379 10.0.0.2", "broker 10.0.0.1 6379 10.0.0.2 6380 7",
            "broker 10.0.0.1 6379 10.0.0.2 0", "broker 10.0.0.1 6379 /tmp/s 6380", " 10.0.0.1 6379 10.0.0.2 6380",
            "broker  10.0.0.1 6379 10.0.0.2 6380", "broker 10.0.0.1 6379  6380",
        ]
        for text in wrong { #expect(SwitchedPrimary(message: Array(text.utf8)) == nil, "\(text)") }
        #expect(SwitchedPrimary(message: [0xFF, 0x20, 0x20, 0x20, 0x20]) == nil)
    }
}
