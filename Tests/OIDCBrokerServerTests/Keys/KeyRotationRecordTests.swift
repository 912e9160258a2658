// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerServer

/// The record beside a file of keys, which any user may have written.
struct KeyRotationRecordTests {
    private static let text =
        #"{"version":1,"kind":"signing","algorithm":"ES256","step":"add","time":1700000000,"keys":["a","b"],"#
        + #""before":{"step":"drop","time":0,"keys":["a"]}}"#

    @Test func `a record is what was written`() throws {
        let record = try #require(KeyRotationRecord(json: Array(Self.text.utf8)))
        #expect(record.kind == .signing && record.algorithm == "ES256")
        #expect(record.state == KeyRotationRecord.State(step: .add, time: 1_700_000_000, keyIDs: ["a", "b"]))
        #expect(record.state(of: ["a"])?.step == .drop && record.state(of: ["b"]) == nil)
        #expect(KeyRotationRecord(json: record.json) == record)
        let plain = KeyRotationRecord(
            kind: .sealing, algorithm: nil, state: record.state, before: record.before)
        #expect(KeyRotationRecord(json: plain.json) == plain)
    }

    @Test(arguments: [
        ("\"version\":1", "\"version\":2"), ("\"version\":1,", ""), ("signing", "client"), ("\"add\"", "\"revoke\""),
        ("1700000000", "-1"), ("1700000000", "253000000001"), ("1700000000", "\"1700000000\""),
        ("[\"a\",\"b\"]", "[]"), ("[\"a\",\"b\"]", "[\"a\",1]"), ("[\"a\",\"b\"]", "[\"\\u001b[2J\"]"),
        ("\"ES256\"", "256"), ("\"before\":{", "\"after\":{"), ("}}", "}"),
        ("\"a\",\"b\"", "\"" + String(repeating: "a", count: 65) + "\""),
        ("\"a\",\"b\"", Array(repeating: "\"a\"", count: 257).joined(separator: ",")),
        ("{\"version\"", String(repeating: " ", count: 65_536) + "{\"version\""),
    ])
    func `anything else is none`(old: String, new: String) {
        let text = Self.text.replacing(old, with: new, maxReplacements: 1)
        #expect(text != Self.text)
        #expect(KeyRotationRecord(json: Array(text.utf8)) == nil)
    }

    @Test func `the latest time is one that can be shown`() {
        let text = Self.text.replacing("1700000000", with: "253000000000")
        #expect(KeyRotationRecord(json: Array(text.utf8))?.state.time == 253_000_000_000)
    }
}
