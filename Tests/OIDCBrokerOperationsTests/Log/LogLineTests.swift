// SPDX-License-Identifier: Apache-2.0

import JOSE
import Logging
import Synchronization
import Testing

@testable import OIDCBrokerOperations

/// Lines of the log in both formats.
struct LogLineTests {
    private static let time = LogTime(seconds: 1_790_000_000, milliseconds: 5)

    private func bytes(
        _ format: LogFormat, _ message: String = "hello", _ metadata: Logger.Metadata = [:]
    ) -> [UInt8] {
        var line = LogLine(format, time: Self.time, level: .info, logger: "test", message: message)
        line.append(metadata)
        return line.end()
    }

    private func text(_ format: LogFormat, _ message: String = "hello", _ metadata: Logger.Metadata = [:]) -> String {
        String(decoding: bytes(format, message, metadata), as: UTF8.self)
    }

    private func object(_ bytes: [UInt8]) throws -> JSONObject {
        try JSONParser.object(Array(bytes.dropLast()), limits: JSONLimits(maximumBytes: LogLine.maximumBytes))
    }

    @Test func `JSON: one object with the metadata's own names`() {
        let metadata: Logger.Metadata = [
            "auth.provider": "google", "auth.lines": .stringConvertible(3), "list": ["a", .stringConvertible(1.5)],
            "nested": ["b": "2", "a": .stringConvertible(true)],
        ]
        #expect(
            text(.json, "hello", metadata)
                == "{\"time\":\"2026-09-21T14:13:20.005Z\",\"level\":\"info\",\"message\":\"hello\",\"logger\":\"test\","
                + "\"auth.lines\":3,\"auth.provider\":\"google\",\"list\":[\"a\",1.5],"
                + "\"nested\":{\"a\":true,\"b\":\"2\"}}\n")
    }

    @Test(
        arguments: [
            ("hello", [:], "hello"),
            ("hello, 'you'", ["a": "b"], "hello, 'you' a=b"),
            ("", [:], "\"\""),
            // What looks like a name with a value stands in quotes.
            ("done auth.outcome=signed_in", [:], "\"done auth.outcome=signed_in\""),
            ("a \"b\"", [:], "\"a \\\"b\\\"\""),
            ("two\nlines", [:], "\"two\\nlines\""),
            (
                "hello", ["a": "two words", "b": "x=y", "c": "", "d": "2001:db8::1"],
                "hello a=\"two words\" b=\"x=y\" c=\"\" d=2001:db8::1"
            ),
            ("hello", ["a": ["b", "c d"], "n": .stringConvertible(7)], "hello a=[\"b\",\"c d\"] n=7"),
            ("hello", ["a": "[\"b\"]"], "hello a=\"[\\\"b\\\"]\""),
            ("hello", ["a b": "c"], "hello \"a b\"=c"),
        ] as [(String, Logger.Metadata, String)])
    func `text: words and pairs that cannot be mistaken`(
        message: String, metadata: Logger.Metadata, expected: String
    ) {
        #expect(text(.text, message, metadata) == "2026-09-21T14:13:20.005Z info " + expected + "\n")
    }

    @Test func `an audit's line begins with its event`() {
        var line = LogLine(event: "callback", time: Self.time)
        line.append(["auth.provider": "apple"])
        #expect(
            String(decoding: line.end(), as: UTF8.self)
                == "{\"time\":\"2026-09-21T14:13:20.005Z\",\"event\":\"callback\",\"auth.provider\":\"apple\"}\n")
    }

    @Test(arguments: ["time", "level", "message", "logger", "event", "truncated"])
    func `metadata cannot take a name of the line itself`(name: String) throws {
        let object = try object(bytes(.json, "hello", [name: "forged"]))
        #expect(object["metadata." + name]?.text?.hasSameBytes(as: "forged") == true)
        #expect(object["message"]?.text?.hasSameBytes(as: "hello") == true)
        #expect(object.count == 5)
    }

    static let hostile: [String] = [
        "\n{\"level\":\"error\"}", "\r\nfake", "\u{1B}[2J\u{1B}]0;title\u{7}", "\u{202E}txt.exe", "\u{2028}x", "\0",
        "\"", "\\", "\"\\\"", "\\u000a", "\u{85}", "\u{FEFF}", "\u{FFFF}", "'; drop",
        String(repeating: "\"", count: 1_000_000), String(repeating: "\n", count: 1_000_000),
        "e" + String(repeating: "\u{301}\u{323}", count: 262_144),
        String(repeating: "👩‍👩‍👧‍👦", count: 50_000), String(repeating: "\u{1F1E6}", count: 300_000),
    ]

    @Test(arguments: LogLineTests.hostile.indices, [LogFormat.text, .json])
    func `hostile texts stay in one line, escaped and cut`(index: Int, format: LogFormat) throws {
        let text = Self.hostile[index]
        let metadata: Logger.Metadata = [
            "a": .string(text), "b": .stringConvertible(Substring(text)), "c": [.string(text)],
            "d": ["k": .string(text)],
        ]
        let bytes = bytes(format, text, metadata)
        #expect(bytes.count <= LogLine.maximumBytes)
        #expect(bytes.firstIndex(of: 0x0A) == bytes.count - 1)
        #expect(!bytes.dropLast().contains { $0 < 0x20 || $0 == 0x7F })
        guard format == .json else { return }
        let object = try object(bytes)
        let values = [
            object["message"], object["a"], object["b"], object["c"]?.arrayValue?.first, object["d"]?.objectValue?["k"],
        ]
        for value in values {
            let read = try #require(value?.text)
            if text.utf8.count < 100 {
                #expect(read.hasSameBytes(as: text))
            } else {
                #expect(read.utf8.count <= LogLine.maximumTextBytes)
                #expect(read.utf8.suffix(3).elementsEqual("…".utf8))
            }
        }
    }

    @Test(arguments: [LogFormat.text, .json])
    func `a line is at most 16 KB, and keeps what fits`(format: LogFormat) throws {
        var metadata = Logger.Metadata(
            uniqueKeysWithValues: (10..<40).map {
                ("k\($0)", Logger.MetadataValue.string(String(repeating: "x", count: 1_000)))
            })
        metadata["huge"] = .array((0..<100_000).map { Logger.MetadataValue.string("element \($0)") })
        metadata["z"] = "last"
        let bytes = bytes(format, "hello", metadata)
        #expect(bytes.count <= LogLine.maximumBytes)
        #expect(bytes.count > LogLine.maximumBytes - 1_100)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains(format == .json ? "\"z\":\"last\"" : " z=last"))
        #expect(text.hasSuffix(format == .json ? ",\"truncated\":true}\n" : " truncated=true\n"))
        guard format == .json else { return }
        let object = try object(bytes)
        #expect(object["huge"] == nil)
        #expect(object["k10"] != nil)
        #expect(object["k39"] == nil)
    }

    @Test func `a line that fits says nothing about being cut`() {
        #expect(!text(.json, "hello", ["a": .string(String(repeating: "x", count: 5_000))]).contains("truncated"))
    }

    @Test func `nesting is bounded`() throws {
        var value: Logger.MetadataValue = "deep"
        for level in 0..<1_000 { value = level % 2 == 0 ? .array([value]) : .dictionary(["k": value]) }
        let bytes = bytes(.json, "hello", ["a": value])
        _ = try object(bytes)
        #expect(String(decoding: bytes, as: UTF8.self).contains("…"))
        #expect(bytes.count < 300)
    }

    @Test func `a value is described once, and numbers stay numbers`() {
        final class Described: CustomStringConvertible, Sendable {
            let times = Atomic<Int>(0)

            var description: String {
                times.add(1, ordering: .relaxed)
                return "words"
            }
        }
        let described = Described()
        #expect(text(.text, "hello", ["a": .stringConvertible(described)]).hasSuffix("a=words\n"))
        #expect(described.times.load(ordering: .relaxed) == 1)
        #expect(text(.json, "hello", ["a": .stringConvertible(Double.infinity)]).contains("\"a\":\"inf\""))
        #expect(text(.json, "hello", ["a": .stringConvertible(Int64(-5))]).contains("\"a\":-5"))
    }
}
