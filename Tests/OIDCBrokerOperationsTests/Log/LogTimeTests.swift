// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerOperations

/// Times as RFC 3339 writes them.
struct LogTimeTests {
    @Test(
        arguments: [
            (0, 0, "1970-01-01T00:00:00.000Z"),
            (951_782_400, 7, "2000-02-29T00:00:00.007Z"),
            (1_709_164_800, 70, "2024-02-29T00:00:00.070Z"),
            (1_790_000_000, 999, "2026-09-21T14:13:20.999Z"),
            (4_107_542_399, 0, "2100-02-28T23:59:59.000Z"),
            (4_107_542_400, 0, "2100-03-01T00:00:00.000Z"),
            (253_402_300_799, 0, "9999-12-31T23:59:59.000Z"),
            (.max, .max, "9999-12-31T23:59:59.999Z"),
            (.min, .min, "1970-01-01T00:00:00.000Z"),
        ] as [(Int64, Int64, String)])
    func `a time in UTC with milliseconds`(seconds: Int64, milliseconds: Int64, text: String) {
        var bytes: [UInt8] = []
        LogTime(seconds: seconds, milliseconds: milliseconds).append(to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test func `the time of the system is neither the earliest nor the latest`() {
        let now = LogTime.now()
        #expect(now != LogTime(seconds: 0))
        #expect(now != LogTime(seconds: .max))
    }
}
