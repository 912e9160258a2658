// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

/// The limits of the server: 600 new accounts a minute, 30 sign-ins a minute of an identity, 30 refreshes and 120 lookups a
/// minute of a session, 600 lookups a minute of an account.
@Suite struct AccountPlanTests {
    private static let durations = [0.0, 0.1, 1.4, 13, 60, 600]

    private static func plans(_ operation: AccountOperation) -> [AccountPlan] {
        durations.flatMap { seconds in
            ["ES256", "RS256"].map { AccountPlan(operation, seconds: seconds, rate: 200, algorithm: $0) }
        }
    }

    /// One more account is made by the checks before the load.
    @Test(arguments: AccountOperation.allCases)
    func `fewer accounts are made than the server allows in a minute`(operation: AccountOperation) {
        for plan in Self.plans(operation) {
            let accounts = plan.people + (operation == .new ? plan.signIns : 0)
            #expect(accounts < AccountPlan.mostAccounts)
            #expect(plan.people > 0)
        }
    }

    /// At once, as if no second passed.
    @Test(arguments: [AccountOperation.lookup, .refresh, .known, .new])
    func `no user signs in more than 30 times`(operation: AccountOperation) {
        for plan in Self.plans(operation) {
            let measured = operation == .known ? (plan.signIns + plan.people - 1) / plan.people : 0
            let warmUp = (plan.warmUpSignIns + plan.people - 1) / plan.people
            #expect(plan.sessionsEach + warmUp + measured <= 30)
        }
    }

    @Test func `beside lookups each signs in less often than every other second`() {
        let plan = AccountPlan(.mixed, seconds: 13, rate: 200, algorithm: "ES256")
        #expect(Double(plan.people) / AccountPlan.mostSignInsPerSecond > 2)
        #expect(plan.signIns == 2800)
        // A higher rate is not prepared for.
        #expect(AccountPlan(.mixed, seconds: 13, rate: 1000, algorithm: "ES256").signIns == 2800)
    }

    /// One refresh of each account comes before the load.
    @Test func `a session is refreshed at most 30 times, and there are enough of them`() {
        #expect(AccountPlan.mostUses + 1 <= 30)
        let usual = AccountPlan(.refresh, seconds: 13, algorithm: "ES256")
        #expect(usual.people * usual.sessionsEach * AccountPlan.mostUses >= 130_000)
        let slow = AccountPlan(.refresh, seconds: 13, algorithm: "RS256")
        #expect(slow.sessionsEach < usual.sessionsEach)
        #expect(slow.people * slow.sessionsEach * AccountPlan.mostUses >= 26_000)
    }

    @Test(arguments: [AccountOperation.lookup, .mixed])
    func `no session looks up more than 120 times, and no account more than 600 times`(operation: AccountOperation) {
        for plan in Self.plans(operation) {
            #expect(AccountPlan.mostLookups <= 120)
            #expect(plan.sessionsEach * AccountPlan.mostLookups <= 600)
            #expect(plan.people * plan.sessionsEach * AccountPlan.mostLookups > 300_000)
        }
    }

    /// Of a short measurement no more tokens are signed than it can use.
    @Test func `the supply of sign-ins follows from the duration, up to the limit`() {
        #expect(AccountPlan(.known, seconds: 1, algorithm: "ES256").signIns == 4000)
        let long = AccountPlan(.known, seconds: 60, algorithm: "ES256")
        #expect(long.signIns == long.people * AccountPlan.mostUses)
    }
}
