// SPDX-License-Identifier: Apache-2.0

import FuzzingSupport
import Testing

@testable import OIDCBrokerValkey

/// Arbitrary bytes.
@Suite(.timeLimit(.minutes(10)))
struct RESPDecoderFuzzTests {
    private static let alphabet = Array("+-:$*0123456789\r\n\r\n\r\na".utf8)

    @Test func `random bytes are read the same in one piece and in many`() {
        var random = SeededRandom(seed: 0x5EED)
        for round in 0..<10_000 {
            let bytes = (0..<random.below(48)).map { _ in Self.alphabet[random.below(Self.alphabet.count)] }
            let whole = DecodedBytes([bytes])
            let single = DecodedBytes(bytes.map { [$0] })
            #expect(whole.values == single.values, "round \(round): \(bytes)")
            #expect(whole.error == single.error, "round \(round): \(bytes)")
        }
    }

    @Test func `bytes of any value do no harm`() {
        var random = SeededRandom(seed: 0xB17E5)
        for _ in 0..<5000 {
            var bytes = (0..<random.below(64)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            if random.below(2) == 0 { bytes.insert(Self.alphabet[random.below(5)], at: 0) }
            _ = DecodedBytes([bytes])
        }
    }

    @Test func `a changed byte is an error or another value`() {
        let valid = Array("*3\r\n:12\r\n$5\r\nhello\r\n*2\r\n+OK\r\n$-1\r\n".utf8)
        var random = SeededRandom(seed: 0xC0DE)
        for _ in 0..<10_000 {
            var bytes = valid
            for _ in 0...random.below(3) {
                bytes[random.below(bytes.count)] = Self.alphabet[random.below(Self.alphabet.count)]
            }
            let decoded = DecodedBytes([bytes])
            #expect(decoded.values.count <= bytes.count)
        }
    }
}
