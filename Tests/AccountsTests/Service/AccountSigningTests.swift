// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import NIOPosix
import OIDCBrokerTesting
import Signing
import StoreTesting
import Synchronization
import Testing

@testable import Accounts

/// The places of requests that wait, most of all for an RSA signature, and what becomes of a request that is not signed.
struct AccountSigningTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.any()

    private func service(
        _ store: any AccountStore = ModelAccountStore(),
        _ executor: any SigningExecutor = ConcurrentSigningExecutor(),
        algorithm: JSONWebAlgorithm = .rs256, queues: AccountQueues = AccountQueues(),
        clock: @escaping @Sendable () -> Int64 = { AccountTokenFixture.now }
    ) throws -> AccountService {
        AccountService(
            store: store, policy: AccountPolicy(), tokens: try AccountTokenFixture(algorithm).tokens,
            clock: clock, executor: executor, queues: queues)
    }

    private static let holder = AccountQueues.Holder.identity(ada.key)

    private static let ada = AccountFixture.person(at: "p")

    // MARK: Places

    @Test func `the steps of a request for which there is no place are not taken`() async throws {
        let queues = AccountQueues(transactions: 1, signatures: 1)
        let service = try service(queues: queues)
        let held = loop.makePromise(of: Int.self)
        let first = service.signed(in: queues.signIns, for: Self.holder, isSlow: true, on: loop) { held.futureResult }
        var isTaken = false
        let second: EventLoopFuture<Int> = service.signed(in: queues.signIns, for: Self.holder, isSlow: true, on: loop)
        {
            isTaken = true
            return loop.makeSucceededFuture(2)
        }
        let error = await #expect(throws: AccountStoreError.self) { _ = try await second.get() }
        #expect(error?.code == .unavailable)
        #expect(!isTaken)
        // Refreshes have places of their own.
        let refresh = service.signed(in: queues.refreshes, for: Self.holder, isSlow: true, on: loop) {
            loop.makeSucceededFuture(3)
        }
        #expect(try await refresh.get() == 3)
        held.succeed(1)
        #expect(try await first.get() == 1)
        let third = service.signed(in: queues.signIns, for: Self.holder, isSlow: true, on: loop) {
            loop.makeSucceededFuture(4)
        }
        #expect(try await third.get() == 4)
    }

    @Test func `a place is free again however the steps end`() async throws {
        let queues = AccountQueues(transactions: 1, signatures: 1)
        let service = try service(queues: queues)
        for queue in [queues.signIns, queues.refreshes] {
            for _ in 0..<3 {
                let failing: EventLoopFuture<Int> = service.signed(in: queue, for: Self.holder, isSlow: true, on: loop)
                {
                    loop.makeFailedFuture(AccountRefusal(.disabled))
                }
                await #expect(throws: AccountRefusal.self) { _ = try await failing.get() }
                let succeeding = service.signed(in: queue, for: Self.holder, isSlow: true, on: loop) {
                    loop.makeSucceededFuture(1)
                }
                #expect(try await succeeding.get() == 1)
            }
        }
    }

    @Test func `a P-256 key needs no place`() async throws {
        let queues = AccountQueues(transactions: 0, signatures: 0)
        let future = try service(algorithm: .es256, queues: queues)
            .signed(in: queues.signIns, for: Self.holder, isSlow: false, on: loop) { loop.makeSucceededFuture(1) }
        #expect(try await future.get() == 1)
    }

    // MARK: Shares

    @Test func `one account gets a share of the transactions that wait, and another one finds a place`() async throws {
        let (store, queues) = (WaitingStore(), AccountQueues(transactions: 9, signatures: 9))
        let service = try service(store, algorithm: .es256, queues: queues)
        let ada = try await service.signIn(SignInRequest(Self.ada), on: loop).get()
        let eve = try await service.signIn(SignInRequest(AccountFixture.person("eve", at: "p")), on: loop).get()
        store.hold()
        let session = try service.verify(asking: ada.idToken).session
        let lookups = (0..<4).map { _ in service.lookup(asking: session, on: loop) }
        let error = await #expect(throws: AccountStoreError.self) { _ = try await lookups[3].get() }
        #expect(error?.code == .unavailable)
        let other = service.lookup(asking: try service.verify(asking: eve.idToken).session, on: loop)
        // What writes has places of its own.
        let update = service.update(displayName: .set("Ada"), asking: session, on: loop)
        store.release()
        for future in lookups[..<3] + [other, update] { _ = try await future.get() }
        _ = try await service.lookup(asking: session, on: loop).get()
    }

    @Test func `one network gets a share of what waits, for all users in it`() async throws {
        let (store, executor) = (ModelAccountStore(), HeldExecutor())
        let anyone = try service(store, executor, queues: AccountQueues(transactions: 90, signatures: 9))
        let crowd = anyone.serving([[1], [2]])
        let waiting = (0..<3).map {
            crowd.signIn(SignInRequest(AccountFixture.person("person-\($0)", at: "p")), on: loop)
        }
        let refused = crowd.signIn(SignInRequest(Self.ada), on: loop)
        let error = await #expect(throws: AccountStoreError.self) { _ = try await refused.get() }
        #expect(error?.code == .unavailable)
        let other = anyone.serving([[3]]).signIn(SignInRequest(Self.ada), on: loop)
        executor.open()
        for future in waiting + [other] { _ = try await future.get() }
    }

    // MARK: The service

    @Test func `a sign-in that cannot be signed now is not committed, and uses nothing up`() async throws {
        let (store, executor) = (ModelAccountStore(), HeldExecutor())
        let service = try service(store, executor)
        let waiting = (0..<256).map { number in
            service.signIn(SignInRequest(AccountFixture.person("person-\(number)", at: "p")), on: loop)
        }
        let uses = [TokenUse(hash: [UInt8](repeating: 1, count: 32), expiry: AccountTokenFixture.now + 60)]
        let refused = service.signIn(SignInRequest(Self.ada, uses: uses), on: loop)
        let error = await #expect(throws: AccountStoreError.self) { _ = try await refused.get() }
        #expect(error?.code == .unavailable)
        #expect(store.contents.accounts.count == 256)
        executor.open()
        for future in waiting { _ = try await future.get() }
        let person = try await service.signIn(SignInRequest(Self.ada, uses: uses), on: loop).get()
        #expect(person.person.isNew)
    }

    @Test func `sign-ins that are refused keep no place`() async throws {
        let service = try service(ModelAccountStore())
        for _ in 0...256 {
            let refused = service.signIn(SignInRequest(Self.ada, mayCreate: false), on: loop)
            await #expect(throws: AccountRefusal.self) { _ = try await refused.get() }
        }
        _ = try await service.signIn(SignInRequest(Self.ada), on: loop).get()
    }

    @Test func `a refresh that cannot be signed now is not written, and sign-ins go on`() async throws {
        let (store, executor) = (ModelAccountStore(), HeldExecutor(isOpen: true))
        let clock = TestClock(now: AccountTokenFixture.now)
        let service = try service(store, executor, clock: { clock.now() })
        let eve = try await service.signIn(SignInRequest(AccountFixture.person("eve", at: "p")), on: loop).get()
        var crowd: [RefreshToken] = []
        for number in 0..<256 {
            let person = AccountFixture.person("person-\(number)", at: "p")
            crowd.append(try await service.signIn(SignInRequest(person), on: loop).get().refreshToken)
        }
        executor.close()
        // The first refresh of a day is one that is written.
        clock.advance(by: 86_400)
        var waiting = crowd.map { service.refresh($0, on: loop).map { $0.account.id } }
        let refused = service.refresh(eve.refreshToken, on: loop)
        let error = await #expect(throws: AccountStoreError.self) { _ = try await refused.get() }
        #expect(error?.code == .unavailable)
        let account = try store.transact(.read) { try $0.account(eve.person.account.id) }
        #expect(account != nil && account?.lastRefreshAt == AccountTokenFixture.now)
        waiting.append(
            service.signIn(SignInRequest(AccountFixture.person("ben", at: "p")), on: loop).map { $0.person.account.id })
        executor.open()
        for future in waiting { _ = try await future.get() }
        _ = try await service.refresh(eve.refreshToken, on: loop).get()
    }

    // MARK: Tokens that are not made

    @Test(arguments: [JSONWebAlgorithm.es256, .rs256])
    func `a token that is not made is not a token of a client that is refused`(algorithm: JSONWebAlgorithm) async throws
    {
        let fixture = try AccountTokenFixture(algorithm)
        let eve = try #require(AccountID("eve-account"))
        let session = try AccountTokenFixture.session(of: eve)
        let future = try service(algorithm: algorithm).sign(
            fixture.account, fixture.identities, session, now: AccountTokenFixture.now, on: loop)
        let error = await #expect(throws: AccountSigningError.self) { _ = try await future.get() }
        #expect((error?.reason as? AccountTokenError)?.code == .mismatch)
        #expect(
            error?.description
                == "the ID token could not be created: the session or an identity belongs to another account")
    }

    @Test func `an account whose token would be too long keeps its sessions`() async throws {
        let service = try service(ModelAccountStore(), algorithm: .es256)
        let subject = String(repeating: "s", count: 1000)
        let person = try await service.signIn(SignInRequest(AccountFixture.person(subject, at: "p")), on: loop).get()
        var failure: (any Error)?
        for number in 1..<AccountLimits.identities where failure == nil {
            do {
                _ = try await service.link(
                    LinkRequest(
                        AccountFixture.person(subject, at: "p\(number)"),
                        asking: try service.verify(asking: person.idToken).session), on: loop
                ).get()
            } catch {
                failure = error
            }
        }
        let error = try #require(failure as? AccountSigningError)
        #expect((error.reason as? AccountTokenError)?.code == .tooLong)
        let refresh = service.refresh(person.refreshToken, on: loop)
        await #expect(throws: AccountSigningError.self) { _ = try await refresh.get() }
        _ = try await service.lookup(asking: try service.verify(asking: person.idToken).session, on: loop).get()
        // Once it has become shorter again, there is a token again.
        _ = try await service.update(
            unlinking: ["p1"], asking: try service.verify(asking: person.idToken).session, on: loop
        )
        .get()
        _ = try await service.refresh(person.refreshToken, on: loop).get()
    }

    /// A store whose transactions wait while it is held.
    private final class WaitingStore: AccountStore {
        private let model = ModelAccountStore()
        private let waiting = Mutex<[EventLoopPromise<Void>]?>(nil)

        func hold() { waiting.withLock { $0 = [] } }

        func release() {
            let promises = waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting ?? []
            }
            for promise in promises { promise.succeed(()) }
        }

        func transact<Result: Sendable>(
            _ mode: AccountTransactionMode, on eventLoop: any EventLoop,
            _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
        ) -> EventLoopFuture<Result> {
            let promise = eventLoop.makePromise(of: Void.self)
            let isHeld = waiting.withLock { waiting in
                waiting?.append(promise)
                return waiting != nil
            }
            if !isHeld { promise.succeed(()) }
            return promise.futureResult.flatMap { self.model.transact(mode, on: eventLoop, body) }
        }

        func sweep(before now: Int64, limit: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
            model.sweep(before: now, limit: limit, on: eventLoop)
        }
    }

    /// Holds all work while it is closed.
    private final class HeldExecutor: SigningExecutor {
        private let state: Mutex<(isOpen: Bool, waiting: [@Sendable () -> Void])>

        init(isOpen: Bool = false) { state = Mutex((isOpen, [])) }

        func execute(_ body: @escaping @Sendable () -> Void) {
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(body) }
                return state.isOpen
            }
            if isOpen { body() }
        }

        func close() { state.withLock { $0.isOpen = false } }

        func open() {
            let waiting = state.withLock { state in
                defer { state = (true, []) }
                return state.waiting
            }
            for body in waiting { body() }
        }
    }
}
