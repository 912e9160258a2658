// SPDX-License-Identifier: Apache-2.0

import Accounts
import Testing

/// The table of a sign-in, row by row, and what holds in every row of it.
struct SignInRulesTests {
    typealias Facts = SignInRules.Facts

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let facts: Facts
        let decision: SignInRules.Decision

        init(_ name: String, _ facts: Facts, _ decision: SignInRules.Decision) {
            (self.name, self.facts, self.decision) = (name, facts, decision)
        }

        var testDescription: String { name }
    }

    private static func holder(
        isDisabled: Bool = false, hasProved: Bool = true, mayBeFound: Bool = true, hasSameProvider: Bool = false,
        isFull: Bool = false, isOutdated: Bool = false, canBeEntered: Bool = true, mayBeEnteredByEmail: Bool = false
    ) -> Facts.Holder {
        Facts.Holder(
            isDisabled: isDisabled, hasProved: hasProved, mayBeFound: mayBeFound, hasSameProvider: hasSameProvider,
            isFull: isFull, isOutdated: isOutdated, canBeEntered: canBeEntered,
            mayBeEnteredByEmail: mayBeEnteredByEmail)
    }

    private static func proved(_ holder: Facts.Holder?, seeks: Bool = true) -> Facts {
        Facts(email: .proved, maySeekHolder: seeks, holder: holder)
    }

    private static let outdated = Facts.Known(isDisabled: false, isOutdated: true)

    static let rows: [Row] = [
        Row("known", Facts(known: .init(isDisabled: false)), .signIn),
        Row("known and disabled", Facts(known: .init(isDisabled: true)), .disabled),
        Row("known, verified before its sessions were ended", Facts(known: outdated), .outdated),
        Row(
            "both proved, verified before the holder's sessions were ended", proved(holder(isOutdated: true)), .outdated
        ),
        Row("known while no accounts are made", Facts(known: .init(isDisabled: false), makesAccounts: false), .signIn),
        Row("known on re-authentication", Facts(known: .init(isDisabled: false), mayCreate: false), .signIn),
        Row("unknown on re-authentication", Facts(mayCreate: false), .unknown),
        Row("unknown on re-authentication, whose address is known", reauthentication, .unknown),
        Row("new without an address", Facts(), .create(.unchanged)),
        Row("new while no accounts are made", Facts(makesAccounts: false), .noNewAccounts),
        Row("new with a free address, not proved", Facts(email: .unproved), .create(.unchanged)),
        Row("new with a free address, proved", Facts(email: .proved), .create(.owned)),
        Row("both proved and both providers link", proved(holder()), .linkToHolder),
        Row("both proved, the holder is disabled", proved(holder(isDisabled: true)), .disabled),
        Row("both proved, the same provider", proved(holder(hasSameProvider: true)), .needConfirmation),
        Row("both proved, the holder is full", proved(holder(isFull: true)), .needConfirmation),
        Row("both proved, the newcomer's provider does not link", proved(holder(), seeks: false), .needConfirmation),
        Row("both proved, the holder's does not", proved(holder(mayBeFound: false)), .needConfirmation),
        Row("both proved, the holder has no way to sign in", proved(holder(canBeEntered: false)), .create(.unchanged)),
        Row(
            "proved, the holder has no way to sign in and is entered by the email",
            proved(holder(canBeEntered: false, mayBeEnteredByEmail: true)), .linkToHolder),
        Row(
            "proved, entered by the address, verified too early",
            proved(holder(isOutdated: true, canBeEntered: false, mayBeEnteredByEmail: true)), .outdated),
        Row(
            "proved, entered by the address, but the provider does not link",
            proved(holder(canBeEntered: false, mayBeEnteredByEmail: true), seeks: false), .create(.unchanged)),
        Row("proved, the holder's is not", proved(holder(hasProved: false)), .create(.takenFromHolder)),
        Row(
            "not proved, the holder's is", Facts(email: .unproved, maySeekHolder: true, holder: holder()),
            .create(.unchanged)),
        Row(
            "neither is proved", Facts(email: .unproved, maySeekHolder: true, holder: holder(hasProved: false)),
            .create(.unchanged)),
        Row(
            "linked by address while no accounts are made",
            Facts(makesAccounts: false, email: .proved, maySeekHolder: true, holder: holder()), .linkToHolder),
        Row("separate, without an address", Facts(policy: .separate), .create(.unchanged)),
        Row("separate, with one that another has", separate, .create(.shared)),
    ]

    private static let reauthentication = Facts(
        mayCreate: false, email: .proved, maySeekHolder: true, holder: holder())
    private static let separate = Facts(policy: .separate, email: .proved, maySeekHolder: true, holder: holder())

    @Test(arguments: rows)
    func `each row of the table`(row: Row) {
        #expect(SignInRules.decide(row.facts) == row.decision)
    }

    /// All facts there can be.
    static var space: [Facts] {
        let flags = [false, true]
        let known: [Facts.Known?] = [nil, .init(isDisabled: false), .init(isDisabled: true), outdated]
        var holders: [Facts.Holder?] = [nil]
        for number in 0..<64 {
            holders.append(
                holder(
                    isDisabled: number & 1 != 0, hasProved: number & 2 != 0, mayBeFound: number & 4 != 0,
                    hasSameProvider: number & 8 != 0, isFull: number & 16 != 0,
                    isOutdated: number & 32 != 0))
        }
        return known.flatMap { known in
            flags.flatMap { mayCreate in
                flags.flatMap { makesAccounts in
                    EmailPolicy.allCases.flatMap { policy in
                        EmailClaim.allCases.flatMap { email in
                            flags.flatMap { seeks in
                                holders.map { holder in
                                    Facts(
                                        known: known, mayCreate: mayCreate, makesAccounts: makesAccounts,
                                        policy: policy, email: email, maySeekHolder: seeks, holder: holder)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    @Test func `what happens without proof of the address does not depend on who has it`() {
        for facts in Self.space where facts.email != .proved {
            var free = facts
            free.holder = nil
            #expect(SignInRules.decide(facts) == SignInRules.decide(free))
        }
    }

    @Test func `no user gets into a disabled account, or another's account or email without proof`() {
        let space = Self.space
        #expect(space.count == 4 * 2 * 2 * 2 * 3 * 2 * 65)
        for facts in space {
            let holder = facts.holder
            switch SignInRules.decide(facts) {
            case .signIn: #expect(facts.known?.isDisabled == false && facts.known?.isOutdated == false)
            case .disabled: #expect((facts.known?.isDisabled ?? holder?.isDisabled) == true)
            case .outdated: #expect((facts.known?.isOutdated ?? holder?.isOutdated) == true)
            case .unknown: #expect(facts.known == nil && !facts.mayCreate)
            case .noNewAccounts: #expect(facts.known == nil && !facts.makesAccounts)
            case .linkToHolder:
                #expect(facts.known == nil && facts.mayCreate && facts.policy == .unique)
                #expect(facts.email == .proved && facts.maySeekHolder)
                #expect(holder.map { $0.hasProved && $0.mayBeFound && !$0.isDisabled } == true)
                #expect(holder.map { !$0.hasSameProvider && !$0.isFull && !$0.isOutdated } == true)
            case .needConfirmation:
                #expect(facts.known == nil && facts.policy == .unique && holder?.hasProved == true)
                #expect(facts.email == .proved)
            case .create(let email):
                #expect(facts.known == nil && facts.mayCreate && facts.makesAccounts)
                switch email {
                case .unchanged: break
                case .shared: #expect(facts.policy == .separate)
                case .owned: #expect(facts.policy == .unique && holder == nil && facts.email == .proved)
                case .takenFromHolder: #expect(facts.email == .proved && holder?.hasProved == false)
                }
            }
        }
    }
}
