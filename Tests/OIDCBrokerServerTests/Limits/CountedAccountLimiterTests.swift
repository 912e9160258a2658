// SPDX-License-Identifier: Apache-2.0

import Accounts
import Admission
import MetricsTestKit
import Testing

@testable import OIDCBrokerServer

/// Operations over the rates of accounts are counted, by the row of the table.
struct CountedAccountLimiterTests {
    /// A limiter that refuses everything.
    private struct Refusing: AccountLimiter {
        func take(_ operation: LimitedAccountOperation, now: Int64) -> AccountRateDecision { .wait(seconds: 1) }
        func decide(_ operation: LimitedAccountOperation, now: Int64) -> AccountRateDecision { .wait(seconds: 1) }
    }

    @Test func `each refusal is one of its row, and what may proceed is none`() throws {
        let metrics = TestMetrics()
        let account = try #require(AccountID("an-account"))
        let operations: [(LimitedAccountOperation, String)] = [
            (.signIn(IdentityKey(issuer: "https://issuer.example", subject: "ada"), app: "shop"), "signIns"),
            (.write(account, isRecent: false), "writes"), (.write(account, isRecent: true), "recentWrites"),
            (.use(of: account, issuedAt: 1), "lookups"), (.lookups(of: account), "accountLookups"),
            (.newAccountFrom(network: [1]), "newAccountsOfNetwork"), (.newAccount, "newAccounts"),
        ]
        for (operation, _) in operations {
            #expect(CountedAccountLimiter(TokenBucketLimiter(), factory: metrics).take(operation, now: 0) == .proceed)
        }
        #expect(metrics.counterTotal(label: "auth_limits") == 0)
        let limiter = CountedAccountLimiter(Refusing(), factory: metrics)
        for (operation, limit) in operations {
            #expect(limiter.take(operation, now: 0) != .proceed && limiter.decide(operation, now: 0) != .proceed)
            #expect(try metrics.expectCounter("auth_limits", [("limit", limit)]).totalValue == 2)
        }
    }
}
