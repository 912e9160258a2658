// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing
import TestingSupport

@Suite struct JSONNumberTests {
    private func value(_ text: String) throws -> JSONValue {
        .number(try #require(JSONNumber(text: text)))
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("1.0", 1), ("1e3", 1000), ("1.5e1", 15),
            ("9007199254740992", 9_007_199_254_740_992), ("-9007199254740992", -9_007_199_254_740_992),
        ] as [(String, Int64)])
    func `whole numbers`(text: String, expected: Int64) throws {
        #expect(try value(text).integerValue == expected)
    }

    @Test(arguments: ["1.5", "1e-1", "9007199254740993", "1e300", "-1e300", "1e999", "9223372036854775808", "1e20"])
    func `a number that is not an exact whole number`(text: String) throws {
        #expect(try value(text).integerValue == nil)
    }

    @Test(
        .attack(.impossibleTimes),
        arguments: [
            ("0", 0), ("1700000000", 1_700_000_000), ("1.5", 1), ("1700000000.999", 1_700_000_000),
            ("1.7e9", 1_700_000_000),
            ("9007199254740991", 9_007_199_254_740_991), ("0.1", 0),
        ] as [(String, Int64)])
    func `seconds: a fraction is cut off`(text: String, expected: Int64) throws {
        #expect(try value(text).secondsValue == expected)
    }

    @Test(
        .attack(.impossibleTimes),
        arguments: [
            "-1", "-0.5", "-1e300", "1e300", "1e999", "-1e999", "9007199254740992", "9007199254740993",
            "9007199254740992.5",
            "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551616",
            "99999999999999999999999999",
        ])
    func `seconds: negative, huge and infinite numbers are none, and trap nothing`(text: String) throws {
        #expect(try value(text).secondsValue == nil)
    }

    @Test(.attack(.impossibleTimes)) func `seconds: only numbers count`() {
        let others: [JSONValue] = ["1700000000", true, .null, [1_700_000_000], ["a": 1], "NaN"]
        for other in others {
            #expect(other.secondsValue == nil)
            #expect(other.integerValue == nil)
        }
    }

    @Test(arguments: ["", " 1", "1 ", "01", "+1", ".5", "1.", "NaN", "inf", "0x1", "1,2", "\"1\"", "[1]", "null"])
    func `what is not written as a number`(text: String) {
        #expect(JSONNumber(text: text) == nil)
    }

    @Test func `a number of more than 256 characters is refused`() {
        #expect(JSONNumber(text: String(repeating: "9", count: 256)) != nil)
        #expect(JSONNumber(text: String(repeating: "9", count: 257)) == nil)
    }

    @Test func `equal by value, written as read`() throws {
        #expect(try value("1.0") == 1)
        #expect(try value("1e0").hashValue == (1 as JSONValue).hashValue)
        #expect(try value("-0.0") == 0)
        #expect(try value("1.5") != 1)
        #expect(try value("9007199254740993") != value("9007199254740992"))
        #expect(try value("1.50e+1").serialized() == Array("1.50e+1".utf8))
        #expect(JSONNumber(.min).integer == .min)
    }
}
