// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import StoreTesting
import Testing

@testable import IdentityToolkit

/// What a credential is worth that is older than its presentation: the time of authentication that a session gets from
/// it, and who may present it.
struct PresentedCredentialTests {
    private typealias Installation = ToolkitInstallation

    private let installation: ToolkitInstallation

    init() throws { installation = try ToolkitInstallation() }

    private var now: Int64 { installation.clock.now() }

    private func verified(_ members: JSONObject) throws -> VerifiedAccountToken {
        try installation.service.tokens.verify(try #require(members.string("idToken")), now: now)
    }

    // MARK: The time of authentication

    @Test func `a session is as old as the token that it began with`() async throws {
        let issuedAt = now
        let token = try installation.token("ada")
        installation.clock.advance(by: 200)
        let account = try verified(try await installation.signIn(token).members)
        #expect(account.authTime == issuedAt && account.issuedAt == issuedAt + 195)
    }

    @Test func `a token of a provider whose clock is ahead is one of now`() async throws {
        installation.clock.advance(by: 50)
        let token = try installation.token("ada")
        installation.clock.advance(by: -50)
        let account = try verified(try await installation.signIn(token).members)
        #expect(account.authTime == now)
    }

    @Test func `a token from before the sessions were ended begins none afterwards`() async throws {
        _ = try await installation.signIn(try installation.token("ada"))
        installation.clock.advance(by: 10)
        let old = try installation.token("ada")
        installation.clock.advance(by: 10)
        let key = IdentityKey(issuer: "https://login.acme.example", subject: "ada")
        let isKnown = try installation.store.transact(.write) {
            try installation.service.operations.endSessions(of: key, in: $0, now: now)
        }
        #expect(isKnown)
        installation.clock.advance(by: 10)
        let (status, refused) = try await installation.signIn(old)
        #expect(status == 400)
        #expect(refused.message?.hasPrefix("INVALID_IDP_RESPONSE : The sessions of the account were ended ") == true)
        #expect(installation.store.contents.sessions.isEmpty)
        let (entered, _) = try await installation.signIn(try installation.token("ada"))
        #expect(entered == 200)
    }

    @Test func `a pending credential is usable from its verification on, and as old as its token`() async throws {
        _ = try await installation.signIn(try installation.token("bea", at: "oidc.bold"), at: "oidc.bold")
        let (_, ada) = try await installation.signIn(try installation.token("ada"))
        installation.clock.advance(by: 1)
        let issuedAt = now
        let token = try installation.token("bea", at: "oidc.bold")
        installation.clock.advance(by: 100)
        let (_, inUse) = try await installation.signIn(token, at: "oidc.bold", idToken: ada.string("idToken"))
        let pending = try #require(inUse.string("pendingToken"))
        installation.clock.advance(by: 1799)
        let account = try verified(try await installation.signIn("", pendingToken: pending).members)
        #expect(account.authTime == issuedAt && account.issuedAt == issuedAt + 1894)
    }

    // MARK: Who may present it

    struct Presented: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var issuer = "https://login.acme.example"
        var app = "web"
        var isAccepted = false
    }

    static let presented = [
        Presented(testDescription: "the app that got it", isAccepted: true),
        Presented(testDescription: "another app", app: "ios"),
        Presented(testDescription: "the issuer that had the ID before", issuer: "https://old.acme.example"),
        Presented(testDescription: "the issuer of another provider", issuer: "https://login.bold.example"),
    ]

    @Test(arguments: presented)
    func `a pending credential is for its app, and of the issuer that has the ID`(row: Presented) async throws {
        let sealer = PendingCredentialSealer(
            sealingKeys: [[UInt8](repeating: 7, count: 32)], projectID: installation.service.tokens.projectID)
        let identity = VerifiedIdentity(
            IdentityKey(issuer: row.issuer, subject: "ada"), providerID: "oidc.acme")
        let credential = PendingCredential(
            identity, claims: [:], idToken: "a.b.c", verifiedAt: now, authTime: now)
        let text = try #require(sealer.seal(credential, for: row.app))
        let (status, members) = try await installation.signIn("", pendingToken: text)
        #expect(status == (row.isAccepted ? 200 : 400))
        #expect(members.message == (row.isAccepted ? nil : "INVALID_PENDING_TOKEN"))
        #expect(installation.store.contents.accounts.isEmpty != row.isAccepted)
    }

    @Test func `the issuers of tenants are not compared with the configured one`() {
        var configuration = ProviderConfiguration(
            issuer: "https://login.example/organizations/v2.0", clientID: "broker", clientSecret: nil,
            redirectURI: "https://auth.example.com/__/auth/handler")
        let ofTenant = IdentityKey(issuer: "https://login.example/tenant/v2.0", subject: "ada")
        #expect(configuration.mayHaveIssued(IdentityKey(issuer: configuration.issuer, subject: "ada")))
        #expect(!configuration.mayHaveIssued(ofTenant))
        configuration.tenants = ["tenant"]
        #expect(configuration.mayHaveIssued(ofTenant))
    }
}
