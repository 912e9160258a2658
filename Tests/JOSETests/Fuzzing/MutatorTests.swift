// SPDX-License-Identifier: Apache-2.0

import FuzzingSupport
import Testing

/// The drivers' own tool: repeatable, bounded, and not idle.
@Suite struct MutatorTests {
    @Test func `vector of splitmix64`() {
        var random = SeededRandom(seed: 1_234_567)
        let numbers = (0..<3).map { _ in random.next() }
        #expect(numbers == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
        #expect(random.below(0) == 0)
        #expect(random.below(-5) == 0)
        #expect((0..<100).allSatisfy { _ in (0..<7).contains(random.below(7)) })
    }

    @Test func `the same seed makes the same inputs, another seed others`() {
        func inputs(_ seed: UInt64) -> [[UInt8]] {
            var mutator = Mutator(
                corpus: ["a.b.c", "{\"a\":1}"], dictionary: ["word"], separators: ".", longest: 64, seed: seed)
            return (0..<500).map { _ in mutator.next() }
        }
        let first = inputs(1)
        #expect(first == inputs(1))
        #expect(first != inputs(2))
        #expect(first.allSatisfy { $0.count <= 64 })
        // Most are new, and every kind of change is among them.
        #expect(Set(first).count > 300)
        #expect(first.contains { $0.count > 20 })
        #expect(first.contains { $0.isEmpty })
        #expect(first.contains { String(decoding: $0, as: UTF8.self).contains("word") })
    }

    @Test func `nothing to start from is an empty input`() {
        var mutator = Mutator(corpus: [[UInt8]](), longest: 0, seed: 3)
        for _ in 0..<100 {
            #expect(mutator.next().isEmpty)
        }
    }
}
