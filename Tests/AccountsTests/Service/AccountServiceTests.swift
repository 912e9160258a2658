// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import NIOCore
import NIOPosix
import OIDCBrokerTesting
import OpenIDConnect
import Signing
import StoreTesting
import Synchronization
import Testing

/// A user's way through the service: everything that a server with accounts needs.
struct AccountServiceTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.any()

    private final class Clock: Sendable {
        private let time = Mutex(AccountTokenFixture.now)

        var now: Int64 { time.withLock { $0 } }
        func advance(by seconds: Int64) { time.withLock { $0 += seconds } }
    }

    /// Counts what it runs, so that a test sees which key signs where.
    private final class Executor: SigningExecutor {
        private let count = Atomic(0)

        var runs: Int { count.load(ordering: .relaxed) }

        func execute(_ work: @escaping @Sendable () -> Void) {
            count.add(1, ordering: .relaxed)
            Task.detached { work() }
        }
    }

    /// A store that forgets to commit: its transactions fail after the body.
    private struct Uncommitting: AccountStore {
        let model: ModelAccountStore

        func transact<Result: Sendable>(
            _ mode: AccountTransactionMode, on eventLoop: any EventLoop,
            _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
        ) -> EventLoopFuture<Result> {
            model.transact(mode, on: eventLoop, body).flatMapThrowing { _ in
                throw AccountStoreError(.unavailable, "the disk is full")
            }
        }

        func sweep(before now: Int64, limit: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
            model.sweep(before: now, limit: limit, on: eventLoop)
        }
    }

    private func service(
        _ clock: Clock, store: any AccountStore = ModelAccountStore(), algorithm: JSONWebAlgorithm = .es256,
        executor: any SigningExecutor = ConcurrentSigningExecutor()
    ) throws -> AccountService {
        AccountService(
            store: store, policy: AccountPolicy(), tokens: try AccountTokenFixture(algorithm).tokens,
            clock: { clock.now }, executor: executor)
    }

    private func code(_ body: () async throws -> Void) async throws -> AccountRefusal.Code? {
        do {
            try await body()
            return nil
        } catch let refusal as AccountRefusal {
            return refusal.code
        }
    }

    private static let ada = AccountFixture.person(at: "p", email: "ada@example.com")
    private static let other = AccountFixture.person("a", at: "q")

    @Test func `a user signs in, is looked up, links, refreshes, unlinks and deletes`() async throws {
        let clock = Clock()
        let service = try service(clock)
        let first = try await service.signIn(SignInRequest(Self.ada, app: "web"), on: loop).get()
        #expect(first.person.isNew && first.person.account.lastRefreshAt == clock.now)
        let verified = try service.tokens.verify(first.idToken, now: clock.now)
        #expect(verified.account == first.person.account.id && verified.session.id == first.refreshToken.sessionID)

        clock.advance(by: 10)
        let linked = try await service.link(
            LinkRequest(Self.other, asking: try service.verify(asking: first.idToken).session), on: loop
        ).get()
        #expect(linked.identities.map(\.verified.providerID) == ["p", "q"])
        #expect(try service.tokens.verify(linked.idToken, now: clock.now).authTime == verified.authTime)

        let profile = try await service.lookup(asking: try service.verify(asking: first.idToken).session, on: loop)
            .get()
        #expect(profile.account.email == EmailAddress("ada@example.com") && profile.identities.count == 2)

        let refreshed = try await service.refresh(first.refreshToken, on: loop).get()
        #expect(try service.tokens.verify(refreshed.idToken, now: clock.now).issuedAt == IssuedAt.claim(now: clock.now))
        #expect(refreshed.account.lastRefreshAt == clock.now)
        clock.advance(by: 20)
        // The second of a day reads only.
        #expect(try await service.refresh(first.refreshToken, on: loop).get().account.lastRefreshAt == clock.now - 20)

        let updated = try await service.update(
            displayName: .set("Ada"), unlinking: ["p"], asking: try service.verify(asking: linked.idToken).session,
            on: loop
        ).get()
        #expect(updated.account.displayName == "Ada" && updated.identities.map(\.verified.providerID) == ["q"])
        try await service.delete(asking: try service.verify(asking: linked.idToken).session, on: loop).get()
        #expect(
            try await code {
                _ = try await service.lookup(asking: try service.verify(asking: linked.idToken).session, on: loop).get()
            } == .sessionEnded)
        #expect(try await code { _ = try await service.refresh(first.refreshToken, on: loop).get() } == .sessionEnded)
    }

    @Test func `an operator changes an account, and ends one of its sessions or all`() async throws {
        let clock = Clock()
        let service = try service(clock)
        let phone = try await service.signIn(SignInRequest(Self.ada), on: loop).get()
        let laptop = try await service.signIn(SignInRequest(Self.ada), on: loop).get()
        let (id, session) = (phone.person.account.id, phone.person.session.id)
        func refusal(_ token: RefreshToken) async throws -> AccountRefusal.Code? {
            try await code { _ = try await service.refresh(token, on: loop).get() }
        }
        try await service.endSession(session, of: id, on: loop).get()
        let ended = try await refusal(phone.refreshToken)
        let again = try await code { try await service.endSession(session, of: id, on: loop).get() }
        let other = try await refusal(laptop.refreshToken)
        #expect(ended == .sessionEnded && again == .sessionEnded && other == nil)

        var change = AccountChange()
        change.isDisabled = true
        change.customClaims = .set(try #require(CustomClaims(json: #"{"role":"admin"}"#)))
        _ = try await service.update(id, by: change, on: loop).get()
        let disabled = try await refusal(laptop.refreshToken)
        change = AccountChange()
        change.isDisabled = false
        let changed = try await service.update(id, by: change, on: loop).get()
        #expect(disabled == .disabled && changed.account.customClaims != nil)

        clock.advance(by: 400)
        let asking = try service.verify(asking: laptop.idToken).session
        let early = try await code {
            _ = try await service.link(LinkRequest(Self.other, asking: asking), on: loop).get()
        }
        try await service.prove(asking, on: loop).get()
        let linked = try await service.link(LinkRequest(Self.other, asking: asking), on: loop).get()
        #expect(early == .signInTooOld && linked.identities.count == 2)

        try await service.endSessions(of: id, on: loop).get()
        let last = try await refusal(linked.refreshToken)
        #expect(last == .sessionEnded)
    }

    @Test func `an ID token is taken for five minutes after its expiry, while its session exists`() async throws {
        let clock = Clock()
        let service = try service(clock)
        let person = try await service.signIn(SignInRequest(Self.ada), on: loop).get()
        clock.advance(by: AccountTokens.lifetime + AccountService.graceAfterExpiry - 1)
        _ = try await service.lookup(asking: try service.verify(asking: person.idToken).session, on: loop).get()
        clock.advance(by: 1)
        let error = await #expect(throws: AccountTokenError.self) {
            try await service.lookup(asking: try service.verify(asking: person.idToken).session, on: loop).get()
        }
        #expect(error?.code == .expired)
        let refreshed = try await service.refresh(person.refreshToken, on: loop).get()
        #expect(try await service.endSessions(of: Self.ada.key, on: loop).get())
        #expect(try await !service.endSessions(of: Self.other.key, on: loop).get())
        #expect(
            try await code {
                _ = try await service.lookup(asking: try service.verify(asking: refreshed.idToken).session, on: loop)
                    .get()
            } == .sessionEnded
        )
    }

    @Test func `no token leaves before its transaction was committed`() async throws {
        let (clock, model) = (Clock(), ModelAccountStore())
        let service = try service(clock, store: Uncommitting(model: model))
        let error = await #expect(throws: AccountStoreError.self) {
            _ = try await service.signIn(SignInRequest(Self.ada), on: loop).get()
        }
        #expect(error?.code == .unavailable)
    }

    @Test func `an RSA key signs on the executor, a P-256 key does not`() async throws {
        let (clock, executor) = (Clock(), Executor())
        _ = try await service(clock, executor: executor).signIn(SignInRequest(Self.ada), on: loop).get()
        #expect(executor.runs == 0)
        let slow = try service(clock, algorithm: .rs256, executor: executor)
        let person = try await slow.signIn(SignInRequest(Self.ada), on: loop).get()
        #expect(executor.runs == 1)
        #expect(try slow.tokens.verify(person.idToken, now: clock.now).account == person.person.account.id)
    }
}
