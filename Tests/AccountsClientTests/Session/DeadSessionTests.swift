// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AccountsClient

/// Who is signed out, and who is not.
struct DeadSessionTests {
    static let goneOrDisabled: [(String, AccountsError.Code)] = [
        ("USER_NOT_FOUND", .userNotFound), ("USER_DISABLED", .userDisabled),
    ]

    @Test(arguments: goneOrDisabled)
    func `an account that is gone or disabled ends the session at once`(
        message: String, expected: AccountsError.Code
    ) async throws {
        let stubbed = try await StubbedClient.signedIn()
        await stubbed.exchange.answer(.lookup, .error(message))
        #expect(try await code { try await stubbed.client.reload() } == expected)
        #expect(try await stubbed.uid() == nil)
        #expect(try await stubbed.storage.load() == nil)
        #expect(await stubbed.exchange.requests(.token).isEmpty)
    }

    @Test(arguments: ["TOKEN_EXPIRED", "INVALID_ID_TOKEN"])
    func `a session that has ended is believed of the refresh token`(message: String) async throws {
        let stubbed = try await StubbedClient.signedIn()
        await stubbed.exchange.answer(.lookup, .error(message))
        await stubbed.exchange.answer(.token, .error("TOKEN_EXPIRED"))
        #expect(try await code { try await stubbed.client.reload() } == .sessionExpired)
        #expect(try await stubbed.uid() == nil)
        #expect(try await stubbed.storage.load() == nil)
    }

    @Test(arguments: ["TOKEN_EXPIRED", "INVALID_ID_TOKEN"])
    func `an ID token that is too old, since the clock was set, ends nothing`(message: String) async throws {
        let stubbed = try await StubbedClient.signedIn()
        await stubbed.exchange.answer(.lookup, .error(message), .account(name: "Ada again"))
        await stubbed.exchange.answer(.token, .refreshed())
        #expect(try await stubbed.client.reload().displayName == "Ada again")
        let tokens = await stubbed.exchange.requests(.lookup).map { $0.body["idToken"] }
        #expect(tokens.suffix(2) == [.string("id-token-1"), .string("id-token-2")])
    }

    @Test func `a session that was refreshed has not expired, whatever is said of its ID token`() async throws {
        let stubbed = try await StubbedClient.signedIn()
        await stubbed.exchange.answer(.lookup, .error("TOKEN_EXPIRED"), .error("TOKEN_EXPIRED"))
        await stubbed.exchange.answer(.token, .refreshed())
        #expect(try await code { try await stubbed.client.reload() } == .sessionExpired)
        #expect(try await stubbed.uid() == "u1")
    }

    static let harmless: [StubExchange.Answer] = [
        .empty(503), .empty(502), .empty(500), .empty(200), .noConnection, .json(200, "{"), .json(400, "USER_DISABLED"),
        .json(302, ""), .error("TOO_MANY_ATTEMPTS_TRY_LATER"), .error("CREDENTIAL_TOO_OLD_LOGIN_AGAIN"),
        .error("OPERATION_NOT_ALLOWED : No."), .error("INVALID_IDP_RESPONSE : No."), .error("EMAIL_NOT_FOUND"),
        .error("INVALID_REFRESH_TOKEN"), .error("SOMETHING_NEW"), .json(503, #"{"error":{"message":"USER_DISABLED"}}"#),
    ]

    @Test(arguments: harmless.indices) func `no other response signs the user out`(index: Int) async throws {
        let answer = Self.harmless[index]
        let stubbed = try await StubbedClient.signedIn()
        let stored = try await stubbed.storage.load()
        await stubbed.exchange.answer(.lookup, answer)
        await stubbed.exchange.answer(.delete, answer)
        await stubbed.exchange.answer(.revokeToken, answer)
        await stubbed.exchange.answer(.update, answer)
        await stubbed.exchange.answer(.token, answer)
        await stubbed.exchange.answer(.signIn, answer, answer, answer)
        let client = stubbed.client
        #expect(try await code { try await client.reload() } != nil)
        #expect(try await code { try await client.delete() } != nil)
        #expect(try await code { try await client.revokeToken(withAuthorizationCode: "code") } != nil)
        #expect(try await code { try await client.unlink(providerID: "apple.com") } != nil)
        #expect(try await code { _ = try await client.idToken(forcingRefresh: true) } != nil)
        #expect(try await code { try await client.link(with: StubbedClient.credential) } != nil)
        #expect(try await code { try await client.reauthenticate(with: StubbedClient.credential) } != nil)
        #expect(try await code { try await client.signIn(with: StubbedClient.credential) } != nil)
        #expect(try await stubbed.uid() == "u1")
        #expect(try await stubbed.storage.load() == stored)
    }

    @Test(arguments: ["USER_DISABLED", "USER_NOT_FOUND", "TOKEN_EXPIRED"])
    func `a refused sign-in of another user ends nothing`(message: String) async throws {
        let stubbed = try await StubbedClient.signedIn()
        await stubbed.exchange.answer(.signIn, .error(message), .error(message))
        let client = stubbed.client
        #expect(try await code { try await client.signIn(with: StubbedClient.credential) } != nil)
        #expect(try await code { try await client.reauthenticate(with: StubbedClient.credential) } != nil)
        #expect(try await stubbed.uid() == "u1")
    }

    @Test func `a response for another account is none`() async throws {
        let stubbed = try await StubbedClient.signedIn()
        let client = stubbed.client
        await stubbed.exchange.answer(.lookup, .account(uid: "u2"))
        await stubbed.exchange.answer(.token, .refreshed(uid: "u2"))
        await stubbed.exchange.answer(.update, .json(200, #"{"localId":"u2"}"#))
        await stubbed.exchange.answer(.signIn, .signedIn(uid: "u2"), .signedIn(uid: "u2"))
        #expect(try await code { try await client.reload() } == .unexpectedResponse)
        #expect(try await code { _ = try await client.idToken(forcingRefresh: true) } == .unexpectedResponse)
        #expect(try await code { try await client.updateProfile(displayName: .clear) } == .unexpectedResponse)
        #expect(try await code { try await client.link(with: StubbedClient.credential) } == .unexpectedResponse)
        #expect(try await code { try await client.reauthenticate(with: StubbedClient.credential) } == .userMismatch)
        #expect(try await stubbed.uid() == "u1")
        #expect(try await client.idToken() == "id-token-1")
    }
}
