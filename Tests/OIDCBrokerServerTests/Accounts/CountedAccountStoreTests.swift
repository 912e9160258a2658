// SPDX-License-Identifier: Apache-2.0

import Accounts
import MetricsTestKit
import NIOCore
import NIOEmbedded
import Testing

@testable import OIDCBrokerServer

/// The count of transactions on accounts that failed.
struct CountedAccountStoreTests {
    /// A store whose transactions all fail.
    private struct FailingStore: AccountStore {
        let error: any Error

        func transact<Result: Sendable>(
            _ mode: AccountTransactionMode, on eventLoop: any EventLoop,
            _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
        ) -> EventLoopFuture<Result> { eventLoop.makeFailedFuture(error) }

        func sweep(before now: Int64, limit: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
            eventLoop.makeFailedFuture(error)
        }
    }

    private struct Refusal: Error {}

    @Test func `failures of the store are counted by their code, and refusals are none`() throws {
        let metrics = TestMetrics()
        let loop = EmbeddedEventLoop()
        let errors: [any Error] = [
            AccountStoreError(.unavailable, "x"), AccountStoreError(.unavailable, "x"),
            AccountStoreError(.conflict, "x"),
            Refusal(),
        ]
        for error in errors {
            let store = CountedAccountStore(FailingStore(error: error), factory: metrics)
            #expect(throws: (any Error).self) { try store.transact(.write, on: loop) { _ in 1 }.wait() }
        }
        let swept = CountedAccountStore(FailingStore(error: errors[0]), factory: metrics)
        #expect(throws: AccountStoreError.self) { try swept.sweep(before: 0, limit: 1, on: loop).wait() }
        func total(_ reason: String) throws -> Int64 {
            try metrics.expectCounter("auth_database_errors", [("reason", reason)]).totalValue
        }
        #expect(try total("unavailable") == 3)
        #expect(try total("conflict") == 1)
    }
}
