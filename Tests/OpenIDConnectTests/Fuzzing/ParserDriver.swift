// SPDX-License-Identifier: Apache-2.0

import FuzzingSupport
import JOSE
import Testing

/// Feeds one parser with seeded random inputs, and holds what it accepts to what must then be true.
struct ParserDriver {
    /// What came of one input.
    enum Verdict {
        case accepted
        case refused
        /// Accepted, or refused with a text, against a rule.
        case violation(String)

        /// Accepted, unless a rule is broken.
        init(_ violation: String?) {
            if let violation { self = .violation(violation) } else { self = .accepted }
        }
    }

    /// Its inputs in ``FoundInputs`` begin with this.
    var name: String
    /// What the inputs are made of, beside those found before; each is well formed.
    var corpus: [String]
    var dictionary: [String] = []
    var separators = ""
    var longest = 4096
    var seed: UInt64

    /// How many inputs one driver makes; the same ones on every machine.
    static let runs = 4000

    /// Tries the corpus, the inputs that were found before, then new ones made of both: none may crash or break a rule,
    /// and both verdicts must come up.
    func run(_ validate: ([UInt8]) -> Verdict) throws {
        let found = try FoundInputs.bytes(for: name)
        let known = corpus.map { Array($0.utf8) } + found
        var mutator = Mutator(
            corpus: known, dictionary: dictionary.map { Array($0.utf8) }, separators: Array(separators.utf8),
            longest: longest, seed: seed)
        var accepted = 0
        var refused = 0
        for round in 0..<(known.count + Self.runs) {
            let input = round < known.count ? known[round] : mutator.next()
            switch validate(input) {
            case .accepted: accepted += 1
            case .refused: refused += 1
            case .violation(let rule): Issue.record("\(name), \(rule): \(Base64.encode(input))")
            }
        }
        // A mutator gone wild would accept nothing, a tame one refuse nothing.
        #expect(accepted > corpus.count / 2)
        #expect(refused > Self.runs / 10)
    }

    /// Whether a text is printable ASCII without spaces, and not empty.
    static func isPrintable(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
