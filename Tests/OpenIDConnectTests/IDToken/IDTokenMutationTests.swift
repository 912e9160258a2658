// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing

/// Takes out one check at a time, at run time, and verifies that the tables notice: a check that can be taken out
/// unnoticed is not tested.
@Suite struct IDTokenMutationTests {
    /// A token that must be refused, its signature verified once for all mutants.
    private struct Refused {
        let payload: VerifiedPayload
        let expectation: IDTokenExpectation
    }

    private static func isAccepted(_ token: Refused, by policy: IDTokenPolicy) -> Bool {
        do {
            try policy.validate(token.payload, token.expectation)
            return true
        } catch {
            return false
        }
    }

    @Test(arguments: Situation.allCases)
    func `if any check is taken out, a token shows it: there are no survivors`(situation: Situation) throws {
        let tokens = try (RefusedTokens.all + OtherTokens.all).map { change in
            let token = change.token(situation)
            return Refused(payload: try token.verified(), expectation: token.expectation)
        }
        let standard = IDTokenPolicy.standard
        #expect(tokens.allSatisfy { !Self.isAccepted($0, by: standard) })

        var survivors: [String] = []
        let names = standard.checks.map(\.name)
        for name in names {
            let mutant = standard.without(name)
            #expect(mutant.checks.count == standard.checks.count - 1)
            let isNoticed = tokens.contains { Self.isAccepted($0, by: mutant) }
            if !isNoticed { survivors.append(name) }
        }
        print(
            "ID token checks, \(situation): \(names.count) taken out one at a time, \(tokens.count) tokens, survivors: "
                + (survivors.isEmpty ? "none" : survivors.joined(separator: ", ")))
        #expect(survivors.isEmpty)
    }

    @Test func `an untested check would survive`() throws {
        let policy = IDTokenPolicy(checks: IDTokenPolicy.standard.checks + [.untested])
        let mutant = policy.without(IDTokenCheck.untested.name)
        for change in RefusedTokens.all.prefix(20) {
            let token = change.token()
            let refused = Refused(payload: try token.verified(), expectation: token.expectation)
            #expect(!Self.isAccepted(refused, by: mutant))
        }
    }
}

extension IDTokenCheck {
    /// A check that no table knows.
    fileprivate static let untested = IDTokenCheck("untested") { check, token, _ in
        token.claims["untested"] == nil ? nil : check.finding(wanted: "none", found: "one")
    }
}
