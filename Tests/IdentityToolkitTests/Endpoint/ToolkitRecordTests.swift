// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import MetricsTestKit
import OIDCBroker
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import IdentityToolkit

/// What is counted and audited of the operations on accounts.
struct ToolkitRecordTests {
    private typealias Installation = ToolkitInstallation

    @Test func `a sign-in, a link, an unlink and a deletion name the account, and nothing else of the user`()
        async throws
    {
        let (audit, metrics) = (CapturedAudit(), TestMetrics())
        var options = Installation.Options()
        (options.auditLogger, options.metrics) = (audit.logger, metrics)
        let installation = try Installation(options: options)
        let (_, first) = try await installation.signIn(
            try installation.token("ada-upstream", email: "ada@example.com"))
        let idToken = try #require(first.string("idToken"))
        let account = try #require(first.string("localId"))
        let linked = try await installation.signIn(
            try installation.token("ada-at-bold", at: "oidc.bold"), at: "oidc.bold", idToken: idToken)
        #expect(linked.status == 200)
        let current = linked.members.string("idToken") ?? idToken
        let unlinked = try await installation.post(
            Installation.toolkit + "accounts:update",
            ["idToken": .string(current), "deleteProvider": .array([.string("oidc.bold")])])
        #expect(unlinked.status == 200, "\(unlinked.members.message ?? "")")
        let deleted = try await installation.post(
            Installation.toolkit + "accounts:delete", ["idToken": .string(current)])
        #expect(deleted.status == 200, "\(deleted.members.message ?? "")")
        let refused = try await installation.signIn("no-token")
        #expect(refused.status == 400)

        let lines = audit.lines
        #expect(
            lines.map { $0.message } == [
                "account_sign_in", "account_link", "account_unlink", "account_delete", "account_sign_in",
            ])
        #expect(lines.map { $0.metadata["auth.account"] } == [account, account, account, account, nil])
        #expect(lines.last?.metadata["auth.outcome"] == "refused")
        for value in ["ada-upstream", "ada-at-bold", "ada@example.com", idToken] {
            #expect(!audit.text.contains(value))
        }
        func total(_ operation: String, _ outcome: String) throws -> Int64 {
            try metrics.expectCounter(
                "auth_account_operations", [("operation", operation), ("outcome", outcome)]
            ).totalValue
        }
        #expect(try total("sign_in", "succeeded") == 2)
        #expect(try total("sign_in", "refused") == 1)
        #expect(try total("update", "succeeded") == 1)
        #expect(try total("delete", "succeeded") == 1)
    }

    @Test func `a user with a new subject is logged with the account, and nothing else of the user`() async throws {
        let log = CapturedAudit()
        var options = Installation.Options()
        options.logger = log.logger
        let installation = try Installation(options: options)
        let (_, ada) = try await installation.signIn(installation.token("ada-upstream", email: "ada@example.com"))
        let (_, refused) = try await installation.signIn(installation.token("ada-renewed", email: "ada@example.com"))
        #expect(refused.message?.hasPrefix("EMAIL_EXISTS : ") == true)
        let line = try #require(log.lines.first { $0.message.contains("accounts identities replace") })
        #expect(line.metadata["auth.account"] == ada.string("localId"))
        #expect(line.metadata["auth.provider"] == "oidc.acme")
        for value in ["ada-upstream", "ada-renewed", "ada@example.com"] { #expect(!log.text.contains(value)) }
    }

    @Test func `the labels are lower case, and each operation has its own`() {
        let labels = ToolkitOperation.allCases.map(\.label)
        #expect(Set(labels).count == labels.count)
        for label in labels { #expect(label.wholeMatch(of: /[a-z_]+/) != nil) }
    }
}
