// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import OpenIDRelyingParty
import Synchronization
import Testing

@testable import OIDCBrokerHTTP

/// The field `Date`.
struct ResponseDateTests {
    private final class Clock: UnixClock {
        let second = Mutex<Int64>(0)

        func now() -> Int64 { second.withLock { $0 } }
    }

    @Test(
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (1_798_761_599, "Thu, 31 Dec 2026 23:59:59 GMT"), (1_798_761_600, "Fri, 01 Jan 2027 00:00:00 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"), (.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (.min, "Thu, 01 Jan 1970 00:00:00 GMT"),
        ] as [(Int64, String)])
    func `a second has one text`(second: Int64, text: String) {
        #expect(ResponseDate.text(second) == text)
    }

    @Test func `our own parser reads every day of a leap year and its neighbors`() {
        for day in 0..<1500 {
            let second = Int64(946_684_800 - 86_400 + day * 86_400 + day * 7 % 86_400)
            #expect(HTTPDate.seconds(ResponseDate.text(second)) == second)
        }
    }

    @Test func `the text is that of the second, in each form`() {
        let clock = Clock()
        let date = ResponseDate(clock: clock)
        for (second, text) in [(5, "00:00:05"), (5, "00:00:05"), (6, "00:00:06"), (4, "00:00:04")] {
            clock.second.withLock { $0 = Int64(second) }
            let value = "Thu, 01 Jan 1970 \(text) GMT"
            #expect(date.value == value)
            #expect(date.field.value == value)
            #expect(String(buffer: date.line) == "Date: \(value)\r\n")
        }
    }
}
