// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct UTF8SearchTests {
    @Test(
        arguments: [
            ("aaab", "aab", 1..<4), ("abc", "c", 2..<3), ("abc", "abc", 0..<3), ("abc", "", 0..<0),
            ("error_description", "error=", nil), ("ab", "abc", nil), ("", "a", nil), ("aba", "abab", nil),
        ] as [(String, String, Range<Int>?)])
    func `the first place, or none`(text: String, wanted: String, range: Range<Int>?) {
        #expect(Array(text.utf8).firstRange(ofBytes: wanted.utf8) == range)
    }

    @Test(arguments: [
        ("GET / HTTP/1.0", "HTTP/1.0", true), ("GET / HTTP/1.1", "HTTP/1.0", false), ("", "", true), ("b", "ab", false),
    ])
    func `what stands at the end`(text: String, wanted: String, isThere: Bool) {
        #expect(text.utf8.ends(with: wanted.utf8) == isThere)
    }
}
