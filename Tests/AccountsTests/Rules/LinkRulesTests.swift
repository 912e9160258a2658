// SPDX-License-Identifier: Apache-2.0

import Accounts
import Testing

/// The tables of linking, unlinking and deleting, row by row, and what holds in every row of them.
struct LinkRulesTests {
    typealias Facts = LinkRules.Facts

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let facts: Facts
        let decision: LinkRules.Decision

        init(_ name: String, _ facts: Facts, _ decision: LinkRules.Decision) {
            (self.name, self.facts, self.decision) = (name, facts, decision)
        }

        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row("free, without an address", Facts(), .link(.unchanged)),
        Row("of another account", Facts(owner: .anotherAccount), .belongsToAnother),
        Row(
            "of another account, while one of the provider is linked",
            Facts(owner: .anotherAccount, hasSameProvider: true), .belongsToAnother),
        Row("linked already", Facts(owner: .sameAccount, hasSameProvider: true), .alreadyLinked),
        Row("another one of the provider is linked", Facts(hasSameProvider: true), .alreadyLinked),
        Row("one more than an account may have", Facts(isFull: true), .tooMany),
        Row("the address is another's, both proved", Facts(email: .proved, holder: .proved), .emailBelongsToAnother),
        Row(
            "the same where addresses do not matter", Facts(policy: .separate, email: .proved, holder: .proved),
            .link(.shared)),
        Row("the first address", Facts(email: .proved), .link(.owned)),
        Row("the first address, not proved", Facts(email: .unproved), .link(.unchanged)),
        Row("a second address", Facts(email: .proved, hasEmail: true), .link(.unchanged)),
        Row("proved, another has it without proof", Facts(email: .proved, holder: .unproved), .link(.takenFromHolder)),
        Row("not proved, another has it too", Facts(email: .unproved, holder: .unproved), .link(.unchanged)),
        Row("not proved, another has proved it", Facts(email: .unproved, holder: .proved), .link(.unchanged)),
        Row(
            "proved, another has it without proof, and the account has one",
            Facts(email: .proved, hasEmail: true, holder: .unproved), .link(.unchanged)),
        Row(
            "separate, the account has one", Facts(policy: .separate, email: .proved, hasEmail: true),
            .link(.unchanged)),
    ]

    @Test(arguments: rows)
    func `each row of the table`(row: Row) {
        #expect(LinkRules.decide(row.facts) == row.decision)
    }

    @Test func `nothing of another's is linked, and no address that another proved is taken`() {
        var count = 0
        for owner in Facts.Owner.allCases {
            for policy in EmailPolicy.allCases {
                for email in EmailClaim.allCases {
                    for holder in EmailClaim.allCases {
                        for number in 0..<8 {
                            count += 1
                            let facts = Facts(
                                owner: owner, hasSameProvider: number & 1 != 0, isFull: number & 2 != 0,
                                policy: policy, email: email, hasEmail: number & 4 != 0, holder: holder)
                            check(facts)
                        }
                    }
                }
            }
        }
        #expect(count == 3 * 2 * 3 * 3 * 8)
    }

    private func check(_ facts: Facts) {
        if facts.email != .proved {
            var free = facts
            free.holder = .absent
            #expect(LinkRules.decide(facts) == LinkRules.decide(free))
        }
        switch LinkRules.decide(facts) {
        case .belongsToAnother: #expect(facts.owner == .anotherAccount)
        case .alreadyLinked: #expect(facts.owner == .sameAccount || facts.hasSameProvider)
        case .emailBelongsToAnother: #expect(facts.email == .proved && facts.holder == .proved)
        case .tooMany: #expect(facts.isFull)
        case .link(let email):
            #expect(facts.owner == .none && !facts.hasSameProvider && !facts.isFull)
            switch email {
            case .unchanged: break
            case .shared: #expect(facts.policy == .separate && !facts.hasEmail)
            case .owned:
                #expect(facts.policy == .unique && !facts.hasEmail && facts.holder == .absent)
                #expect(facts.email == .proved)
            case .takenFromHolder: #expect(facts.email == .proved && !facts.hasEmail && facts.holder == .unproved)
            }
        }
    }

    @Test(arguments: [
        (false, 0, UnlinkRules.Decision.nothing), (false, 1, .nothing), (false, 2, .nothing), (true, 1, .isLast),
        (true, 2, .remove), (true, 20, .remove),
    ])
    func `the last identity stays`(isLinked: Bool, count: Int, decision: UnlinkRules.Decision) {
        #expect(UnlinkRules.decide(isLinked: isLinked, count: count) == decision)
    }

    @Test(arguments: [
        (Int64(1000), DeletionRules.Decision.proceed), (701, .proceed), (700, .tooOld), (0, .tooOld), (1060, .proceed),
        (1061, .tooOld), (Int64.max, .tooOld),
    ])
    func `a deletion needs a recent sign-in, and a time in the future is none`(
        provedAt: Int64, decision: DeletionRules.Decision
    ) {
        #expect(DeletionRules.decide(provedAt: provedAt, now: 1000, limit: 300) == decision)
    }
}
