// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import NIOCore
import Synchronization
import Testing

@testable import IdentityToolkit

/// When the redemption of a ticket counts as a sign-in of its user: before a question about a new account, so that a ticket
/// that stays good asks no more often than its user may sign in, and otherwise once it is taken. Never twice.
struct TicketCountTests {
    /// Lets everything pass, and counts sign-ins.
    private final class Counter: AccountLimiter {
        private let count = Atomic(0)

        var signIns: Int { count.load(ordering: .sequentiallyConsistent) }

        func take(_ operation: LimitedAccountOperation, now: Int64) -> AccountRateDecision {
            if case .signIn = operation { count.add(1, ordering: .sequentiallyConsistent) }
            return .proceed
        }

        func decide(_ operation: LimitedAccountOperation, now: Int64) -> AccountRateDecision { .proceed }
    }

    private let counter = Counter()

    private func scene(_ newAccounts: NewAccountDecider? = nil) throws -> TicketScene {
        try TicketScene { options in
            options.limiter = counter
            options.newAccounts = newAccounts
        }
    }

    @Test func `a redemption counts before a new account is asked about, and not again when it is made`()
        async throws
    {
        let counter = counter
        let counted = Mutex<[Int]>([])
        let scene = try scene(
            NewAccountDecider { _, loop in
                counted.withLock { $0.append(counter.signIns) }
                return loop.makeSucceededFuture(.allowed(customClaims: nil))
            })
        #expect(try await scene.redeem(try await scene.ticket()).status == 200)
        #expect(counted.withLock { $0 } == [1])
        #expect(counter.signIns == 1)
        // The user is known now.
        #expect(try await scene.redeem(try await scene.ticket()).status == 200)
        #expect(counted.withLock { $0 } == [1])
        #expect(counter.signIns == 2)
    }

    @Test func `each redemption that leaves the ticket good counts where a new account was asked about`() async throws {
        let scene = try scene(NewAccountDecider { _, loop in loop.makeSucceededFuture(.refused(reason: "No.")) })
        let ticket = try await scene.ticket()
        for number in 1...3 {
            #expect(TicketScene.code(try await scene.redeem(ticket)) == "BLOCKING_FUNCTION_ERROR_RESPONSE")
            #expect(counter.signIns == number)
        }
    }

    @Test func `where no new account is asked about, only the redemption that takes the ticket counts`() async throws {
        let scene = try scene()
        let ticket = try await scene.ticket()
        #expect(TicketScene.code(try await scene.redeem(ticket, session: "another")) == "INVALID_IDP_RESPONSE")
        #expect(counter.signIns == 0)
        #expect(try await scene.redeem(ticket).status == 200)
        #expect(counter.signIns == 1)
        #expect(TicketScene.code(try await scene.redeem(ticket)) == "INVALID_IDP_RESPONSE")
        #expect(counter.signIns == 1)
    }

    @Test(arguments: [false, true]) func `a redemption that links counts once`(asks: Bool) async throws {
        let decider = NewAccountDecider { _, loop in loop.makeSucceededFuture(.allowed(customClaims: nil)) }
        let scene = try scene(asks ? decider : nil)
        let (_, bea) = try await scene.installation.signIn(scene.installation.token("bea"))
        let idToken = try #require(bea.string("idToken"))
        let before = counter.signIns
        let ticket = try await scene.ticket(.linkViaPopup, at: "oidc.bold")
        #expect(try await scene.redeem(ticket, idToken: idToken).status == 200)
        #expect(counter.signIns == before + 1)
    }
}
