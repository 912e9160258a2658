// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import Testing

@Suite struct RetryAfterTests {
    /// 1994-11-06T08:49:37Z, the date of RFC 9110's own examples.
    private static let then: Int64 = 784_111_777

    @Test(
        arguments: [
            (nil, nil), ("", nil), ("0", 0), ("7", 7), (" 7", 7), ("300", 300), ("301", 300),
            ("99999999999999999999999", 300), ("-1", nil), ("1.5", nil), ("7 s", nil), ("soon", nil), ("\u{664}", nil),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sun, 06 Nov 1994 08:49:47 GMT", 10),
            ("Sunday, 06-Nov-94 08:49:47 GMT", 10), ("Sun Nov  6 08:49:47 1994", 10),
            ("Sun, 06 Nov 1994 08:49:27 GMT", 0), ("Sun, 06 Nov 1994 08:54:37 GMT", 300),
            ("Mon, 07 Nov 1994 08:49:37 GMT", 300), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 300),
        ] as [(String?, Int64?)])
    func `both forms give seconds from now, five minutes at most`(field: String?, seconds: Int64?) {
        #expect(RetryAfter(field, now: Self.then)?.seconds == seconds)
    }

    @Test func `no clock makes it overflow`() {
        #expect(RetryAfter("Fri, 31 Dec 9999 23:59:59 GMT", now: .min)?.seconds == 0)
        #expect(RetryAfter("Thu, 01 Jan 1970 00:00:00 GMT", now: .max)?.seconds == 0)
    }

    @Test(
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
            ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600), ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
            ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800), ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
            ("Fri, 15 Jan 2027 08:00:00 GMT", 1_800_000_000), ("Friday, 15-Jan-27 08:00:00 GMT", 1_800_000_000),
            ("Wednesday, 31-Dec-69 23:59:59 GMT", 3_155_759_999), ("Wednesday, 31-Dec-70 23:59:59 GMT", 31_535_999),
            ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ] as [(String, Int64)])
    func `a date of each form is read`(text: String, seconds: Int64) {
        #expect(HTTPDate.seconds(text) == seconds)
    }

    @Test(arguments: [
        "", "Sun", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37:00 GMT",
        "Sun 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06-Nov-94-1 08:49:37 GMT",
        "Sun, -6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT", "Sun Nov 6 08:49:37 94",
        "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT and much more behind",
    ])
    func `anything else is none`(text: String) {
        #expect(HTTPDate.seconds(text) == nil)
    }
}
