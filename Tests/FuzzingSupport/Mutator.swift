// SPDX-License-Identifier: Apache-2.0

/// Makes inputs for a parser out of a corpus: mostly well formed, wrong in a few places.
///
/// The same seed, corpus, dictionary and limit give the same inputs in the same order.
public struct Mutator: Sendable {
    /// The inputs that everything starts from; at least one.
    private let corpus: [[UInt8]]

    /// Pieces that mean something to the parser, put in whole.
    private let dictionary: [[UInt8]]

    /// The bytes at which a structure-aware join cuts, such as the dots of a token.
    private let separators: [UInt8]

    private let longest: Int
    private var random: SeededRandom

    /// - Parameters:
    ///   - corpus: Inputs to start from. An empty corpus counts as one empty input.
    ///   - dictionary: Pieces that mean something to the parser (names, numbers at the edge of a range).
    ///   - separators: Bytes between the parts of an input; parts of different inputs are joined by the first of them.
    ///   - longest: The longest input that is made, in bytes.
    ///   - seed: Where the sequence starts.
    public init(
        corpus: [[UInt8]], dictionary: [[UInt8]] = [], separators: [UInt8] = [], longest: Int = 4096, seed: UInt64
    ) {
        self.corpus = corpus.isEmpty ? [[]] : corpus
        self.dictionary = dictionary
        self.separators = separators
        self.longest = max(longest, 0)
        random = SeededRandom(seed: seed)
    }

    /// The same with texts for bytes.
    public init(
        corpus: [String], dictionary: [String] = [], separators: String = "", longest: Int = 4096, seed: UInt64
    ) {
        self.init(
            corpus: corpus.map { Array($0.utf8) }, dictionary: dictionary.map { Array($0.utf8) },
            separators: Array(separators.utf8), longest: longest, seed: seed)
    }

    /// The next input: one of the corpus after one to four mutations, cut at the longest length.
    public mutating func next() -> [UInt8] {
        mutated(corpus[random.below(corpus.count)])
    }

    /// An input after one to four mutations, cut at the longest length: for a part of something larger.
    public mutating func mutated(_ input: [UInt8]) -> [UInt8] {
        var input = input
        for _ in 0...random.below(4) {
            mutate(&input)
        }
        return Array(input.prefix(longest))
    }

    private mutating func mutate(_ input: inout [UInt8]) {
        switch random.below(10) {
        case 0: flipBit(&input)
        case 1: replaceByte(&input)
        case 2: insertBytes(&input)
        case 3: removeRange(&input)
        case 4: truncate(&input)
        case 5: duplicateRange(&input)
        case 6: splice(&input)
        case 7: insertWord(&input)
        case 8: joinParts(&input)
        default: swapParts(&input)
        }
    }

    // MARK: Bytes

    private mutating func flipBit(_ input: inout [UInt8]) {
        guard !input.isEmpty else { return }
        input[random.below(input.count)] ^= 1 << UInt8(random.below(8))
    }

    private mutating func replaceByte(_ input: inout [UInt8]) {
        guard !input.isEmpty else { return }
        input[random.below(input.count)] = UInt8(truncatingIfNeeded: random.next())
    }

    private mutating func insertBytes(_ input: inout [UInt8]) {
        let byte = UInt8(truncatingIfNeeded: random.next())
        let count = 1 + random.below(random.below(8) == 0 ? 300 : 4)
        input.insert(contentsOf: repeatElement(byte, count: count), at: random.below(input.count + 1))
    }

    // MARK: Ranges

    private mutating func range(of input: [UInt8]) -> Range<Int> {
        let start = random.below(input.count + 1)
        return start..<(start + random.below(input.count - start + 1))
    }

    private mutating func removeRange(_ input: inout [UInt8]) {
        input.removeSubrange(range(of: input))
    }

    private mutating func truncate(_ input: inout [UInt8]) {
        input.removeSubrange(random.below(input.count + 1)...)
    }

    private mutating func duplicateRange(_ input: inout [UInt8]) {
        let piece = Array(input[range(of: input)])
        input.insert(contentsOf: piece, at: random.below(input.count + 1))
        input = Array(input.prefix(longest))
    }

    /// The beginning of this input with the end of another.
    private mutating func splice(_ input: inout [UInt8]) {
        let other = corpus[random.below(corpus.count)]
        input = Array(input[..<random.below(input.count + 1)]) + other[random.below(other.count + 1)...]
    }

    private mutating func insertWord(_ input: inout [UInt8]) {
        guard !dictionary.isEmpty else { return }
        let word = dictionary[random.below(dictionary.count)]
        let start = random.below(input.count + 1)
        let end = random.below(2) == 0 ? start : min(start + word.count, input.count)
        input.replaceSubrange(start..<end, with: word)
    }

    // MARK: Parts

    private func parts(of input: [UInt8]) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start = 0
        for position in input.indices where separators.contains(input[position]) {
            parts.append(input[start..<position])
            start = position + 1
        }
        parts.append(input[start...])
        return parts
    }

    private func joined(_ parts: [ArraySlice<UInt8>], by separator: UInt8) -> [UInt8] {
        var bytes: [UInt8] = []
        for (position, part) in parts.enumerated() {
            if position > 0 {
                bytes.append(separator)
            }
            bytes.append(contentsOf: part)
        }
        return bytes
    }

    /// Puts a part of another input in the place of one of this input's.
    private mutating func joinParts(_ input: inout [UInt8]) {
        guard let separator = separators.first else { return }
        var own = parts(of: input)
        let others = parts(of: corpus[random.below(corpus.count)])
        own[random.below(own.count)] = others[random.below(others.count)]
        input = joined(own, by: separator)
    }

    /// Exchanges two parts, or says one twice, or leaves one out.
    private mutating func swapParts(_ input: inout [UInt8]) {
        guard let separator = separators.first else { return }
        var own = parts(of: input)
        let place = random.below(own.count)
        switch random.below(3) {
        case 0: own.swapAt(place, random.below(own.count))
        case 1: own.insert(own[random.below(own.count)], at: place)
        default: own.remove(at: place)
        }
        input = joined(own, by: separator)
    }
}
