// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import NIOCore
import NIOPosix
import OIDCBrokerTesting
import StoreTesting
import Testing

/// A revocation at a provider as a server makes it: one transaction before the provider is asked, one after it.
struct AccountRevocationTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.any()
    private let store = ModelAccountStore()

    private static let now = AccountTokenFixture.now
    private static let ada = AccountFixture.person(at: "p")

    /// The service at a time.
    private func service(at time: Int64 = AccountRevocationTests.now) throws -> AccountService {
        AccountService(
            store: store, policy: AccountPolicy(), tokens: try AccountTokenFixture().tokens, clock: { time })
    }

    private func code(_ body: () async throws -> Void) async throws -> AccountRefusal.Code? {
        do {
            try await body()
            return nil
        } catch let refusal as AccountRefusal {
            return refusal.code
        }
    }

    @Test func `a revocation by a code lets the asking session delete the account, however old its sign-in is`()
        async throws
    {
        let person = try await service().signIn(SignInRequest(Self.ada), on: loop).get()
        let later = try service(at: Self.now + 400)
        let early = try await code {
            try await later.delete(asking: try later.verify(asking: person.idToken).session, on: loop).get()
        }
        #expect(early == .signInTooOld)
        let revocable = try #require(
            try await later.revocableIdentity(
                at: "p", issuer: "https://p", asking: try later.verify(asking: person.idToken).session, on: loop
            ).get())
        #expect(revocable.identity == person.person.identity)
        #expect(revocable.session.id == person.refreshToken.sessionID)
        try await later.recordRevocation(of: revocable, isProof: true, on: loop).get()
        #expect(store.contents.identities.first?.revokedAt == Self.now + 400)
        try await later.delete(asking: try later.verify(asking: person.idToken).session, on: loop).get()
        #expect(store.contents.accounts.isEmpty)
    }

    @Test func `an identity is revocable only at its provider, and only for a live session`() async throws {
        let service = try service()
        let person = try await service.signIn(SignInRequest(Self.ada), on: loop).get()
        let none = try await service.revocableIdentity(
            at: "q", issuer: "https://q", asking: try service.verify(asking: person.idToken).session, on: loop
        ).get()
        #expect(none == nil)
        _ = try await service.endSessions(of: Self.ada.key, on: loop).get()
        let ended = try await code {
            _ = try await service.revocableIdentity(
                at: "p", issuer: "https://p", asking: try service.verify(asking: person.idToken).session, on: loop
            ).get()
        }
        #expect(ended == .sessionEnded)
        let error = await #expect(throws: AccountTokenError.self) {
            _ = try await service.revocableIdentity(
                at: "p", issuer: "https://p", asking: try service.verify(asking: person.idToken + "A").session, on: loop
            ).get()
        }
        #expect(error != nil)
    }

    @Test func `a revocation is recorded also if the session ends while the provider is asked`() async throws {
        let service = try service()
        let person = try await service.signIn(SignInRequest(Self.ada), on: loop).get()
        let revocable = try #require(
            try await service.revocableIdentity(
                at: "p", issuer: "https://p", asking: try service.verify(asking: person.idToken).session, on: loop
            ).get())
        _ = try await service.endSessions(of: Self.ada.key, on: loop).get()
        try await service.recordRevocation(of: revocable, isProof: true, on: loop).get()
        #expect(store.contents.identities.first?.revokedAt == Self.now)
        #expect(store.contents.sessions.isEmpty)
    }

    @Test func `the service records the access tokens of sign-ins and links`() async throws {
        let service = try service()
        let token = AccountIdentity.HandedOutToken("token", expiry: Self.now + 10)
        let person = try await service.signIn(SignInRequest(Self.ada, accessToken: token), on: loop).get()
        #expect(person.person.identity.accessToken == token)
        let linked = try await service.link(
            LinkRequest(
                AccountFixture.person("a", at: "q"), asking: try service.verify(asking: person.idToken).session,
                accessToken: token), on: loop
        ).get()
        #expect(linked.person.identity.accessToken == token)
    }
}
