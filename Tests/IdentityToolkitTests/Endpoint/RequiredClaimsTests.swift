// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import IdentityToolkit

/// What an app of an SDK requires of its users.
struct RequiredClaimsTests {
    private static func installation() throws -> ToolkitInstallation {
        try HandlerBrowser.installation {
            $0.require = BrokerConfiguration.RequiredClaims(["acme": ["groups": .anyOf(["staff"])]])
        }
    }

    struct Row: Sendable {
        let provider: String
        let groups: JSONValue
        let isAllowed: Bool
    }

    private static let rows: [Row] = [
        Row(provider: "oidc.acme", groups: ["staff"], isAllowed: true),
        Row(provider: "oidc.acme", groups: ["guests"], isAllowed: false),
        Row(provider: "oidc.acme", groups: .null, isAllowed: false),
        Row(provider: "oidc.bold", groups: ["staff"], isAllowed: false),
    ]

    @Test(arguments: rows)
    func `a native credential signs in a user whose claims are those`(row: Row) async throws {
        let installation = try Self.installation()
        let token = try installation.token("ada", at: row.provider, changes: ["groups": row.groups])
        let (status, members) = try await installation.signIn(token, at: row.provider)
        #expect(status == (row.isAllowed ? 200 : 400))
        #expect(members.message == (row.isAllowed ? nil : "OPERATION_NOT_ALLOWED : The user may not use the app."))
    }

    @Test func `no identity of another user is linked`() async throws {
        let installation = try Self.installation()
        let (_, first) = try await installation.signIn(try installation.token("ada", changes: ["groups": ["staff"]]))
        let idToken = try #require(first.string("idToken"))
        let (status, members) = try await installation.signIn(
            try installation.token("a", at: "oidc.bold", changes: ["groups": ["staff"]]), at: "oidc.bold",
            idToken: idToken)
        #expect(status == 400 && members.message?.hasPrefix("OPERATION_NOT_ALLOWED") == true)
    }

    @Test func `groups that are elsewhere are an error with that word`() async throws {
        let installation = try Self.installation()
        let (status, members) = try await installation.signIn(
            try installation.token("ada", changes: ["_claim_names": ["groups": "src1"]]))
        #expect(status == 400 && members.message?.contains("_claim_names") == true)
    }

    @Test(arguments: [true, false])
    func `at the handler page as well, and the event does not say which claim`(isAllowed: Bool) async throws {
        let installation = try Self.installation()
        installation.providers["oidc.acme"]?.behave { $0.claims["groups"] = isAllowed ? ["staff"] : ["guests"] }
        var browser = HandlerBrowser(installation)
        let event = try HandlerBrowser.event(try await browser.signIn(HandlerBrowser.web())).event
        #expect((event.string("urlResponse") != nil) == isAllowed)
        let error = event["error"]?.objectValue
        #expect(error?.string("code") == (isAllowed ? nil : "auth/operation-not-allowed"))
        #expect(error?.string("message") == (isAllowed ? nil : "The user may not use the app."))
    }
}
