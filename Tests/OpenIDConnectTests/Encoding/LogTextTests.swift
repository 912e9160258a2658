// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import Testing

/// No value can begin a second field, whatever prints `key=value` lines of it.
@Suite struct LogTextTests {
    @Test(arguments: [
        ("x auth.outcome=signed_in", #""x auth.outcome?signed_in""#),
        (#"x" auth.outcome="signed_in"#, #""x? auth.outcome??signed_in""#),
        (#"x\" y"#, #""x?? y""#),
        ("a\r\nb\u{1b}\u{0}\u{7f}", #""a??b???""#),
        ("\u{2028}ä", #""?????""#),
        ("access_denied", #""access_denied""#),
        ("", #""""#),
    ])
    func `a value is in quotes that nothing in it ends`(text: String, quoted: String) {
        #expect(LogText.quoted(text) == quoted)
    }

    @Test func `every byte that is left is one that no line is cut at`() {
        for byte in UInt8.min...UInt8.max {
            let quoted = Array(LogText.quoted(String(decoding: [byte], as: UTF8.self)).utf8)
            #expect(quoted.first == 0x22)
            #expect(quoted.last == 0x22)
            let inner = quoted.dropFirst().dropLast()
            #expect(!inner.isEmpty)
            for byte in inner {
                #expect((0x20...0x7E).contains(byte) && byte != 0x22 && byte != 0x5C && byte != 0x3D)
            }
        }
    }

    @Test func `a value has 128 bytes at most, a detail 512, marks included`() {
        #expect(LogText.quoted(String(repeating: "x", count: 128)).utf8.count == 130)
        #expect(LogText.quoted(String(repeating: "x", count: 129)).utf8.count == 130)
        let marks = "a" + String(repeating: "\u{301}\u{316}", count: 16_000)
        #expect(LogText.quoted(marks).utf8.count == 130)
        #expect(LogText.detail(marks).utf8.count == 514)
    }

    @Test func `a finding does not hold them either`() {
        let finding = IDTokenFinding(check: "issuer", wanted: "'a=b'", found: "'x\" auth.outcome=\\'")
        #expect(finding.description == "issuer: expected 'a?b', found 'x? auth.outcome??'")
    }

    @Test func `the absence of a detail is a word that no detail can give`() {
        #expect(LogText.detail(nil) == "none")
        #expect(LogText.detail("none") == #""none""#)
    }
}
