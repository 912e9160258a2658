// SPDX-License-Identifier: Apache-2.0

import AccountsTestSupport
import FuzzingSupport
import JOSE
import Testing

@testable import Accounts

/// What becomes of a refresh token that is presented, now or again (RFC 9700 section 4.14.2).
struct RefreshTokenFamilyTests {
    private enum Outcome: Equatable { case current, repeated, superseded, reused, unproved }

    private static let newKey = [UInt8](repeating: 1, count: 32)
    private static let oldKey = [UInt8](repeating: 2, count: 32)
    private static let keys = SuccessorKeys(sealingKeys: [newKey, oldKey])
    private static let session = AccountSession.ID()

    /// A family with all its tokens, as only its app had them.
    private struct Family {
        var tokens: [AppRefreshToken]
        var family: RefreshTokenFamily
        var keys: SuccessorKeys

        init(_ keys: SuccessorKeys = RefreshTokenFamilyTests.keys, seed: UInt8 = 3) throws {
            let key = try #require(keys.current)
            let first = AppRefreshToken(
                session: RefreshTokenFamilyTests.session, seed: [UInt8](repeating: seed, count: 32), under: key)
            tokens = [first]
            family = RefreshTokenFamily(first, under: key)
            self.keys = keys
        }

        mutating func rotate(at now: Int64) throws {
            tokens.append(family.rotate(try #require(tokens.last), under: try #require(keys.current), now: now))
        }

        func find(
            _ token: AppRefreshToken, at now: Int64, within seconds: Int64 = 10, absence: StoreAbsence = .none
        ) -> RefreshTokenFamily.Finding {
            family.find(
                token, keys: keys,
                repetition: RefreshTokenFamily.Repetition(seconds: seconds, absence: absence), now: now)
        }

        func outcome(
            _ token: AppRefreshToken, at now: Int64, within seconds: Int64 = 10, absence: StoreAbsence = .none
        ) -> Outcome {
            switch find(token, at: now, within: seconds, absence: absence) {
            case .current: .current
            case .repeated(let successor): successor.secretHash == family.secretHash ? .repeated : .unproved
            case .superseded: .superseded
            case .reused: .reused
            case .unproved: .unproved
            }
        }
    }

    /// Rotations at 100 and 200, then a token of one of them again: how old it is, when, and what is permitted. The
    /// store is back at a time, or was never away.
    private static let repetitions: [(token: Int, now: Int64, seconds: Int64, returned: Int64, expected: Outcome)] = [
        (2, 200, 10, 0, .current), (2, 9_000, 0, 0, .current),
        // The immediate predecessor, whose successor is unused.
        (1, 200, 10, 0, .repeated), (1, 210, 10, 0, .repeated), (1, 211, 10, 0, .reused),
        (1, 260, 60, 0, .repeated), (1, 261, 60, 0, .reused), (1, 200, 0, 0, .reused),
        // The clock of another server is behind.
        (1, 190, 10, 0, .repeated),
        // The store was away until later.
        (1, 310, 10, 300, .repeated), (1, 311, 10, 300, .reused), (1, 300, 0, 300, .reused),
        // Its successor was used.
        (0, 110, 10, 0, .superseded), (0, 111, 10, 0, .reused), (0, 200, 10, 0, .reused),
        (0, 310, 10, 300, .superseded), (0, 311, 10, 300, .reused),
    ]

    @Test(arguments: repetitions)
    private func `a token that was replaced may come again for a while`(
        token: Int, now: Int64, seconds: Int64, returned: Int64, expected: Outcome
    ) throws {
        var family = try Family()
        try family.rotate(at: 100)
        try family.rotate(at: 200)
        #expect(
            family.outcome(
                family.tokens[token], at: now, within: seconds,
                absence: returned == 0 ? .none : StoreAbsence(begin: 105, end: returned)) == expected)
    }

    /// A holder of an old copy could otherwise wait until the store was away, without notice.
    @Test(arguments: [(200, true), (210, true), (211, false), (299, false)] as [(Int64, Bool)])
    func `a token that was replaced long before the store went away ends the family`(
        begin: Int64, isRepeated: Bool
    ) throws {
        var family = try Family()
        try family.rotate(at: 200)
        let absence = StoreAbsence(begin: begin, end: 300)
        for now in [300, 310] as [Int64] {
            #expect(family.outcome(family.tokens[0], at: now, absence: absence) == (isRepeated ? .repeated : .reused))
        }
        #expect(family.outcome(family.tokens[0], at: 311, absence: absence) == .reused)
    }

    @Test func `what is not of the family proves nothing, whatever number it has`() throws {
        let other = try Family(seed: 4)
        var (family, ahead) = (try Family(), other)
        for time in 1...5 { try ahead.rotate(at: Int64(time)) }
        #expect(family.outcome(other.tokens[0], at: 1) == .unproved)
        for time in 1...3 { try family.rotate(at: Int64(time)) }
        for token in ahead.tokens { #expect(family.outcome(token, at: 500) == .unproved, "\(token.generation)") }
    }

    /// A bound that is not kept would let an invented token cost as many hashes as it likes.
    @Test func `a token is proved over so many rotations and not over one more`() throws {
        var family = try Family()
        for time in 0..<Int64(RefreshTokenFamily.provableRotations) { try family.rotate(at: time) }
        #expect(family.outcome(family.tokens[0], at: 9_000) == .reused)
        try family.rotate(at: 999)
        #expect(family.outcome(family.tokens[0], at: 9_000) == .unproved)
        #expect(family.outcome(family.tokens[1], at: 9_000) == .reused)
    }

    @Test func `with another key the newest token goes on, and is repeated, and older ones are not proved`() throws {
        var family = try Family(SuccessorKeys(sealingKeys: [Self.oldKey]))
        try family.rotate(at: 100)
        family.keys = Self.keys
        #expect(family.outcome(family.tokens[0], at: 110) == .repeated)
        try family.rotate(at: 200)
        #expect(family.outcome(family.tokens[1], at: 210) == .repeated)
        #expect(family.outcome(family.tokens[0], at: 900) == .unproved)
        family.keys = SuccessorKeys(sealingKeys: [[UInt8](repeating: 9, count: 32)])
        #expect(family.outcome(family.tokens[2], at: 900) == .current)
        #expect(family.outcome(family.tokens[1], at: 210) == .unproved)
        try family.rotate(at: 900)
        #expect(family.outcome(family.tokens[3], at: 901) == .current)
    }

    @Test func `of rotations in quick succession none ends the family that is not too old`() throws {
        var family = try Family()
        for _ in 0..<20 { try family.rotate(at: 100) }
        for token in family.tokens.dropLast(2) { #expect(family.outcome(token, at: 110) == .superseded) }
        #expect(family.family.rotations.count == RefreshTokenFamily.keptTimes)
        for token in family.tokens.dropLast() { #expect(family.outcome(token, at: 111) == .reused) }
    }

    /// Apps that answers may not reach, and a thief with a copy, against what must hold of each step.
    @Test(arguments: 0..<40 as Range<UInt64>) func `a repetition in time signs no user out`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var family = try Family()
        var (now, replacedAt) = (Int64(1_000), [Int64]())
        let seconds = Int64.random(in: 1...60, using: &random)
        for _ in 0..<60 {
            now +=
                Bool.random(using: &random)
                ? Int64.random(in: 0...3, using: &random) : .random(in: 0...90, using: &random)
            let index = Int.random(in: max(0, family.tokens.count - 12)..<family.tokens.count, using: &random)
            let outcome = family.outcome(family.tokens[index], at: now, within: seconds)
            let newest = family.tokens.count - 1
            switch outcome {
            case .current:
                #expect(index == newest)
                replacedAt.append(now)
                try family.rotate(at: now)
            case .repeated: #expect(index == newest - 1 && now <= replacedAt[index] + seconds)
            case .superseded:
                #expect(index < newest - 1)
                // Of the times that are not kept, the next one that is counts.
                let kept = max(index, newest - RefreshTokenFamily.keptTimes)
                #expect(now <= replacedAt[kept] + seconds)
            case .reused: #expect(index < newest && now > replacedAt[index] + seconds)
            case .unproved: Issue.record("a token of the family is proved")
            }
        }
    }
}
