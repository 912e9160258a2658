// SPDX-License-Identifier: Apache-2.0

import FuzzingSupport
import JOSE
import Testing
import TestingSupport

/// Random texts for the parsers below every token: no crash, and what is accepted is within the limits and means one
/// thing.
@Suite(.onSockets) struct JSONFuzzTests {
    private let limits = JSONLimits(maximumBytes: 1024, maximumDepth: 8)

    private static let texts = [
        #"{"iss":"https://a.example","sub":"a","aud":["b","c"],"exp":1700000000,"x":{"y":[true,false,null,{}]}}"#,
        #"["\u0041\uD83D\uDE00\n\"\\",-0,1.5e3,1E-9,9007199254740993,[[[[]]]],"é😀"]"#,
        #" { "a" : [ 1 , 2 ] , "b" : "" } "#,
        "0",
    ]

    private static let words = [
        "\"", "\\", "\\u", "\\uD800", "\\uDC00", "\\u0000", "{", "}", "[", "]", ",", ":", "null", "true", "1e999", "-0",
        "1e-400", "9223372036854775808", "\"a\":", "[[[[[[[[[", "\u{0}", "\u{FEFF}", "\u{7F}", "{\"a\":{\"a\":",
    ]

    /// The deepest nesting, found without recursion.
    private func depth(of value: JSONValue) -> Int {
        var deepest = 0
        var open = [(value, 0)]
        while let (value, depth) = open.popLast() {
            switch value {
            case .array(let elements):
                open += elements.map { ($0, depth + 1) }
                deepest = max(deepest, depth + 1)
            case .object(let object):
                open += object.members.map { ($0.value, depth + 1) }
                deepest = max(deepest, depth + 1)
            default:
                break
            }
        }
        return deepest
    }

    @Test func `JSON: refused, or a value that writes and reads as itself`() throws {
        let found = try FoundInputs.bytes(for: "json")
        var mutator = Mutator(
            corpus: Self.texts.map { Array($0.utf8) } + found, dictionary: Self.words.map { Array($0.utf8) },
            separators: [UInt8(ascii: ",")], longest: 1100, seed: 0x4A53_4F4E)
        var accepted = 0
        for round in 0..<20_000 {
            let input = round < found.count ? found[round] : mutator.next()
            guard let value = try? JSONParser.parse(input, limits: limits) else { continue }
            accepted += 1
            let isWithinLimits = input.count <= limits.maximumBytes && depth(of: value) <= limits.maximumDepth
            let written = value.serialized()
            let isStable = try JSONParser.parse(written, limits: JSONLimits(maximumBytes: 8192)) == value
            if !isWithinLimits || !isStable || String(validating: input, as: UTF8.self) == nil {
                Issue.record("round \(round): \(input)")
            }
            _ = value.secondsValue
            _ = value.integerValue
        }
        // The driver reaches both sides: a mutator gone wild would accept nothing.
        #expect(accepted > 1000)
        #expect(accepted < 19_000)
    }

    @Test func `base64url: refused, or the one text of its bytes`() throws {
        let found = try FoundInputs.bytes(for: "base64url")
        var mutator = Mutator(
            corpus: ["", "Zg", "Zm8", "Zm9v", "A-z_4ME", "AAAAAAAAAAAAAAAA"].map { Array($0.utf8) } + found,
            dictionary: ["=", "-", "_", "+", "/", ".", " ", "\n", "\0", "é"].map { Array($0.utf8) },
            longest: 64, seed: 0x6236_3475)
        var accepted = 0
        for round in 0..<20_000 {
            let input = round < found.count ? found[round] : mutator.next()
            guard let bytes = Base64URL.decode(input) else { continue }
            accepted += 1
            if Array(Base64URL.encode(bytes).utf8) != input {
                Issue.record("round \(round): \(input)")
            }
        }
        #expect(accepted > 1000)
        #expect(accepted < 19_000)
    }
}
