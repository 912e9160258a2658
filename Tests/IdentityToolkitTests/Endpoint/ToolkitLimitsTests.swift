// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBrokerTesting
import StoreTesting
import Testing

@testable import IdentityToolkit

/// Who uses up which limit: the holder of only a part of a session keeps its owner from nothing.
struct ToolkitLimitsTests {
    private typealias Installation = ToolkitInstallation
    private static let tooMany = "TOO_MANY_ATTEMPTS_TRY_LATER"

    private let installation: ToolkitInstallation

    init() throws { installation = try ToolkitInstallation() }

    /// Signs a user in with a new token, and returns the tokens.
    private func signIn(_ subject: String = "ada") async throws -> (idToken: String, refreshToken: String) {
        // The clock goes on, so that no token is the same as another one.
        installation.clock.advance(by: 1)
        let (_, members) = try await installation.signIn(try installation.token(subject))
        return (try #require(members.string("idToken")), try #require(members.string("refreshToken")))
    }

    private func verified(_ idToken: String) throws -> VerifiedAccountToken {
        try installation.service.tokens.verify(idToken, now: installation.clock.now())
    }

    private func refresh(_ token: String) async throws -> (status: Int, message: String?) {
        let (status, members) = try await installation.post(
            "/securetoken.googleapis.com/v1/token",
            ["grant_type": "refresh_token", "refresh_token": .string(token)])
        return (status, members.message)
    }

    private func rename(_ idToken: String) async throws -> (status: Int, message: String?) {
        let (status, members) = try await installation.post(
            Installation.toolkit + "accounts:update", ["idToken": .string(idToken), "displayName": "Ada"])
        return (status, members.message)
    }

    @Test func `who knows a session but not its secret uses up no refreshes of it`() async throws {
        let person = try await signIn()
        // The identifier is in the ID token.
        let session = try verified(person.idToken).session.id
        let guess = RefreshToken(session: session).text
        for _ in 0..<30 {
            for token in [guess, RefreshToken(session: session).text] {
                let refused = try await refresh(token)
                #expect(refused.status == 400 && refused.message == "TOKEN_EXPIRED")
            }
        }
        // A client that asks too often is not told that the session is dead.
        let tooMany = try await refresh(guess)
        #expect(tooMany.status == 503 && tooMany.message == nil)
        for _ in 0..<30 {
            let refreshed = try await refresh(person.refreshToken)
            #expect(refreshed.status == 200)
        }
        let last = try await refresh(person.refreshToken)
        #expect(last.status == 503 && last.message == nil)
    }

    @Test func `the token of a session that was ended uses up no writes of the account`() async throws {
        let (dead, live) = (try await signIn().idToken, try await signIn().idToken)
        let kept = try verified(live).session
        try installation.store.transact(.write) {
            try $0.removeSessions(of: kept.account, begunWith: nil, except: kept.id)
        }
        for number in 0..<40 {
            let refused = try await rename(dead)
            #expect(refused.message == (number < 30 ? "TOKEN_EXPIRED" : Self.tooMany))
        }
        for _ in 0..<30 {
            let renamed = try await rename(live)
            #expect(renamed.status == 200)
        }
        let last = try await rename(live)
        #expect(last.message == Self.tooMany)
    }

    @Test func `the writes of all sessions count for the account`() async throws {
        let (first, second) = (try await signIn().idToken, try await signIn().idToken)
        for number in 0..<30 {
            let renamed = try await rename(number < 20 ? first : second)
            #expect(renamed.status == 200)
        }
        for token in [first, second] {
            let refused = try await rename(token)
            #expect(refused.message == Self.tooMany)
        }
        let other = try await signIn("eve").idToken
        let renamed = try await rename(other)
        #expect(renamed.status == 200)
    }

    private func unlink(_ idToken: String) async throws -> (status: Int, message: String?) {
        let (status, members) = try await installation.post(
            Installation.toolkit + "accounts:update", ["idToken": .string(idToken), "deleteProvider": ["oidc.acme"]])
        return (status, members.message)
    }

    private func delete(_ idToken: String) async throws -> (status: Int, message: String?) {
        let (status, members) = try await installation.post(
            Installation.toolkit + "accounts:delete", ["idToken": .string(idToken)])
        return (status, members.message)
    }

    @Test func `what is refused to a live session counts for the account, of all its sessions together`() async throws {
        let (first, second) = (try await signIn().idToken, try await signIn().idToken)
        // The last provider of the account.
        for number in 0..<30 {
            let refused = try await unlink(number < 20 ? first : second)
            #expect(refused.message?.hasPrefix("OPERATION_NOT_ALLOWED : ") == true, "\(number)")
        }
        for token in [first, second] {
            let refused = try await unlink(token)
            #expect(refused.message == Self.tooMany)
        }
        let other = try await unlink(try await signIn("eve").idToken)
        #expect(other.message?.hasPrefix("OPERATION_NOT_ALLOWED : ") == true)
    }

    @Test func `a link that is refused counts for the account`() async throws {
        let (first, second) = (try await signIn().idToken, try await signIn().idToken)
        _ = try await installation.signIn(try installation.token("bea", at: "oidc.bold"), at: "oidc.bold")
        installation.clock.advance(by: 60)
        // What is refused is not used up.
        let token = try installation.token("bea", at: "oidc.bold")
        for number in 0..<30 {
            let (status, refused) = try await installation.signIn(
                token, at: "oidc.bold", idToken: number < 20 ? first : second)
            #expect(status == 200 && refused.string("errorMessage") == "FEDERATED_USER_ID_ALREADY_LINKED")
        }
        let renamed = try await rename(second)
        #expect(renamed.message == Self.tooMany)
    }

    @Test func `the writes that a disabled account asks for do not count`() async throws {
        let idToken = try await signIn().idToken
        let (account, operations) = (try verified(idToken).account, installation.service.operations)
        try installation.store.transact(.write) { try operations.setDisabled(true, account, in: $0) }
        for _ in 0..<20 {
            let refused = try await rename(idToken)
            #expect(refused.message == "USER_DISABLED")
        }
        try installation.store.transact(.write) { try operations.setDisabled(false, account, in: $0) }
        let other = try await signIn().idToken
        for _ in 0..<30 {
            let renamed = try await rename(other)
            #expect(renamed.status == 200)
        }
    }

    // MARK: The owner, and who has an old session

    @Test func `who has an old session keeps no user from writing who has just signed in`() async throws {
        let old = try await signIn().idToken
        installation.clock.advance(by: 300)
        for number in 0..<31 {
            let renamed = try await rename(old)
            #expect(renamed.message == (number < 30 ? nil : Self.tooMany))
        }
        let owner = try await signIn().idToken
        for number in 0..<31 {
            let renamed = try await rename(owner)
            #expect(renamed.message == (number < 30 ? nil : Self.tooMany))
        }
    }

    @Test func `who uses up the writes of the account does not keep its owner from deleting it`() async throws {
        let (other, owner) = (try await signIn().idToken, try await signIn().idToken)
        for _ in 0..<30 {
            let renamed = try await rename(other)
            #expect(renamed.status == 200)
        }
        let renamed = try await rename(owner)
        #expect(renamed.message == Self.tooMany)
        let deleted = try await delete(owner)
        #expect(deleted.status == 200)
        #expect(installation.store.contents.accounts.isEmpty)
    }

    @Test func `linking is a write`() async throws {
        let person = try await signIn()
        let (status, linked) = try await installation.signIn(
            try installation.token("a", at: "oidc.bold"), at: "oidc.bold", idToken: person.idToken)
        #expect(status == 200)
        // Of a session that has tried nothing before.
        let token = try #require(linked.string("idToken"))
        for number in 0..<30 {
            let renamed = try await rename(token)
            #expect(renamed.message == (number < 29 ? nil : Self.tooMany))
        }
        let (_, refused) = try await installation.signIn(
            try installation.token("b", at: "oidc.bold"), at: "oidc.bold", idToken: token)
        #expect(refused.message == Self.tooMany)
    }

    @Test func `deletions are limited, also those that are refused`() async throws {
        let person = try await signIn()
        installation.clock.advance(by: 300)
        for number in 0..<31 {
            let refused = try await delete(person.idToken)
            #expect(refused.message == (number < 30 ? "CREDENTIAL_TOO_OLD_LOGIN_AGAIN" : Self.tooMany))
        }
        #expect(installation.store.contents.accounts.count == 1)
    }

    @Test func `a token that has just expired counts as long as it is taken`() async throws {
        let person = try await signIn()
        installation.clock.advance(by: AccountTokens.lifetime + AccountService.graceAfterExpiry - 1)
        for number in 0..<31 {
            let renamed = try await rename(person.idToken)
            #expect(renamed.message == (number < 30 ? nil : Self.tooMany))
        }
        installation.clock.advance(by: 1)
        let refused = try await rename(person.idToken)
        #expect(refused.message == "TOKEN_EXPIRED")
    }
}
