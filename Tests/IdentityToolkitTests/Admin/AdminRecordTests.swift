// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import Logging
import MetricsTestKit
import NIOCore
import OIDCBroker
import OIDCBrokerTesting
import StoreTesting
import Synchronization
import Testing
import TestingSupport

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// The audit and the counts of admin operations, and their failures.
struct AdminRecordTests {
    private typealias Installation = AdminInstallation

    @Test func `changes are audited with the account, and what is refused without the token too`() async throws {
        let (audit, metrics) = (CapturedAudit(), TestMetrics())
        var options = ToolkitInstallation.Options()
        (options.auditLogger, options.metrics) = (audit.logger, metrics)
        let installation = try Installation(options: options)
        let uid = try #require(try await installation.signIn(email: "ada@example.com").string("localId"))
        _ = try await installation.call("lookup", ["localId": .array([.string(uid)])])
        _ = try await installation.call("lookup", ["localId": ["a"]], authorization: "Bearer owner")
        _ = try await installation.call("update", ["localId": .string(uid), "displayName": "Ada"])
        _ = try await installation.call("update", ["localId": "nobody"])
        _ = try await installation.call("batchDelete", ["localIds": .array([.string(uid)]), "force": true])
        _ = try await installation.call("delete", ["localId": .string(uid)])
        let lines = audit.lines.dropFirst()
        #expect(
            lines.map { $0.message } == [
                "refused", "account_admin_update", "account_admin_update", "account_admin_delete",
                "account_admin_delete",
            ])
        #expect(
            lines.map { $0.metadata["auth.outcome"] } == [
                "admin_unauthenticated", "succeeded", "refused", "succeeded", "refused",
            ])
        #expect(lines.map { $0.metadata["auth.account"] } == [nil, uid, nil, uid, nil])
        #expect(lines.allSatisfy { $0.metadata["auth.app"] == nil })
        #expect(!"\(lines)".contains(Installation.token) && !"\(lines)".contains("ada@example.com"))
        func total(_ operation: String, _ outcome: String) throws -> Int64 {
            try metrics.expectCounter(
                "auth_account_operations", [("operation", operation), ("outcome", outcome)]
            ).totalValue
        }
        for (operation, outcome) in [
            ("admin_lookup", "succeeded"), ("admin_lookup", "refused"), ("admin_update", "succeeded"),
            ("admin_update", "refused"), ("admin_batch_delete", "succeeded"), ("admin_delete", "refused"),
        ] {
            #expect(try total(operation, outcome) == 1, "\(operation) \(outcome)")
        }
    }

    @Test func `the labels are lower case, and each operation has its own`() {
        let labels = AdminOperation.allCases.map(\.label)
        let all = labels + ToolkitOperation.allCases.map(\.label)
        #expect(Set(all).count == all.count)
        for label in labels { #expect(label.wholeMatch(of: /admin_[a-z_]+/) != nil) }
    }

    @Test func `a failure of the store is an empty 503`() async throws {
        var options = ToolkitInstallation.Options()
        options.accounts = BrokenAccountStore()
        let installation = try Installation(options: options)
        for operation in ["lookup", "update", "delete", "batchDelete"] {
            let json = operation == "lookup" ? #"{"localId":["a"]}"# : #"{"localId":"a","localIds":["a"]}"#
            let response = try await installation.respond(
                .post, Installation.accounts + operation, body: Array(json.utf8))
            #expect(response.head.status == .serviceUnavailable && response.body.readableBytes == 0)
        }
        #expect(try await installation.page().status == 503)
    }

    @Test func `an import that fails after a part was committed is audited with that part`() async throws {
        let (audit, store) = (CapturedAudit(), FailingAccountStore(writes: 1))
        var options = ToolkitInstallation.Options()
        (options.auditLogger, options.accounts) = (audit.logger, store)
        let installation = try Installation(options: options)
        let users: [JSONValue] = (0..<AccountLimits.importsInTransaction * 2).map { ["localId": .string("user-\($0)")] }
        #expect(try await installation.call("batchCreate", ["users": .array(users)]).status == 503)
        let (kept, lines) = (store.model.contents.accounts, audit.lines)
        #expect(kept.count == AccountLimits.importsInTransaction)
        #expect(lines.allSatisfy { $0.message == "account_admin_create" })
        #expect(lines.dropLast().allSatisfy { $0.metadata["auth.outcome"] == "succeeded" })
        #expect(Set(lines.compactMap { $0.metadata["auth.account"] }) == Set(kept.map(\.id.text)))
        #expect(lines.last?.metadata["auth.outcome"] == "unavailable")
    }

    /// A store that writes a few times, and fails then.
    private final class FailingAccountStore: AccountStore {
        let model = ModelAccountStore()
        private let rest: Mutex<Int>

        init(writes: Int) { rest = Mutex(writes) }

        func transact<Result: Sendable>(
            _ mode: AccountTransactionMode, on eventLoop: any EventLoop,
            _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
        ) -> EventLoopFuture<Result> {
            let fails = rest.withLock { rest in
                guard mode == .write else { return false }
                rest -= 1
                return rest < 0
            }
            guard !fails else { return eventLoop.makeFailedFuture(AccountStoreError(.unavailable, "the disk is full")) }
            return model.transact(mode, on: eventLoop, body)
        }

        func sweep(before now: Int64, limit: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
            eventLoop.makeSucceededFuture(0)
        }
    }

    /// A store that cannot be reached.
    private struct BrokenAccountStore: AccountStore {
        func transact<Result: Sendable>(
            _ mode: AccountTransactionMode, on eventLoop: any EventLoop,
            _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
        ) -> EventLoopFuture<Result> {
            eventLoop.makeFailedFuture(AccountStoreError(.unavailable, "the disk is full"))
        }

        func sweep(before now: Int64, limit: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
            eventLoop.makeSucceededFuture(0)
        }
    }
}
