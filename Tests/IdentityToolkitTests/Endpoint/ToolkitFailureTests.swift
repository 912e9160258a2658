// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBrokerTesting
import StoreTesting
import Testing

@testable import IdentityToolkit

/// Failures of this server, which sign no user out.
struct ToolkitFailureTests {
    private typealias Installation = ToolkitInstallation

    @Test func `an account whose token would be too long is not said to be signed out`() async throws {
        let installation = try Installation()
        let (_, person) = try await installation.signIn(try installation.token("ada"))
        let idToken = try #require(person.string("idToken"))
        let account = try installation.service.tokens.verify(idToken, now: installation.clock.now()).account
        try installation.store.transact(.write) { transaction in
            for number in 1..<20 {
                let identity = VerifiedIdentity(
                    IdentityKey(
                        issuer: "https://login.p\(number).example", subject: String(repeating: "s", count: 1000)),
                    providerID: "oidc.p\(number)")
                try transaction.insert(AccountIdentity(identity, of: account, at: installation.clock.now()))
            }
        }
        let refreshed = try await installation.post(
            "/securetoken.googleapis.com/v1/token",
            ["grant_type": "refresh_token", "refresh_token": .string(person.string("refreshToken") ?? "")])
        #expect(refreshed.status == 503 && refreshed.members["error"] == nil)
        installation.clock.advance(by: 1)
        let again = try await installation.signIn(try installation.token("ada"))
        #expect(again.status == 503 && again.members["error"] == nil)
        let (status, _) = try await installation.post(
            Installation.toolkit + "accounts:lookup", ["idToken": .string(idToken)])
        #expect(status == 200)
    }
}
