// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import NIOPosix
import OIDCBrokerTesting
import Synchronization
import Testing

@testable import Accounts

/// The places of requests that end with an RSA signature, and what becomes of a request that is not signed.
struct AccountSigningTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.any()

    private func signing(_ algorithm: JSONWebAlgorithm = .rs256, limit: Int = 1) throws -> AccountSigning {
        AccountSigning(
            tokens: try AccountTokenFixture(algorithm).tokens, executor: ConcurrentAccountSigningExecutor(),
            limit: limit)
    }

    private func service(
        _ store: ModelAccountStore, _ executor: any AccountSigningExecutor = ConcurrentAccountSigningExecutor(),
        algorithm: JSONWebAlgorithm = .rs256
    ) throws -> AccountService {
        AccountService(
            store: store, policy: AccountPolicy(), tokens: try AccountTokenFixture(algorithm).tokens,
            clock: { AccountTokenFixture.now }, executor: executor)
    }

    private static let ada = AccountFixture.person(at: "p")

    // MARK: Places

    @Test func `the steps of a request for which there is no place are not taken`() async throws {
        let signing = try signing()
        let held = loop.makePromise(of: Int.self)
        let first = signing.reserve(for: .signIn, on: loop) { held.futureResult }
        var isTaken = false
        let second: EventLoopFuture<Int> = signing.reserve(for: .signIn, on: loop) {
            isTaken = true
            return loop.makeSucceededFuture(2)
        }
        let error = await #expect(throws: AccountStoreError.self) { _ = try await second.get() }
        #expect(error?.code == .unavailable)
        #expect(!isTaken)
        // Refreshes have places of their own.
        let refresh = signing.reserve(for: .refresh, on: loop) { loop.makeSucceededFuture(3) }
        #expect(try await refresh.get() == 3)
        held.succeed(1)
        #expect(try await first.get() == 1)
        let third = signing.reserve(for: .signIn, on: loop) { loop.makeSucceededFuture(4) }
        #expect(try await third.get() == 4)
    }

    @Test(arguments: AccountSigning.Kind.allCases)
    func `a place is free again however the steps end`(kind: AccountSigning.Kind) async throws {
        let signing = try signing()
        for _ in 0..<3 {
            let failing: EventLoopFuture<Int> = signing.reserve(for: kind, on: loop) {
                loop.makeFailedFuture(AccountRefusal(.disabled))
            }
            await #expect(throws: AccountRefusal.self) { _ = try await failing.get() }
            let succeeding = signing.reserve(for: kind, on: loop) { loop.makeSucceededFuture(1) }
            #expect(try await succeeding.get() == 1)
        }
    }

    @Test func `a P-256 key needs no place`() async throws {
        let future = try signing(.es256, limit: 0).reserve(for: .signIn, on: loop) { loop.makeSucceededFuture(1) }
        #expect(try await future.get() == 1)
    }

    // MARK: The service

    @Test func `a sign-in that cannot be signed now is not committed, and uses nothing up`() async throws {
        let (store, executor) = (ModelAccountStore(), HeldExecutor())
        let service = try service(store, executor)
        let waiting = (0..<256).map { number in
            service.signIn(AccountFixture.person("person-\(number)", at: "p"), on: loop)
        }
        let uses = [SingleUse(hash: [UInt8](repeating: 1, count: 32), expiry: AccountTokenFixture.now + 60)]
        let refused = service.signIn(Self.ada, uses: uses, on: loop)
        let error = await #expect(throws: AccountStoreError.self) { _ = try await refused.get() }
        #expect(error?.code == .unavailable)
        #expect(store.contents.accounts.count == 256)
        executor.open()
        for future in waiting { _ = try await future.get() }
        let person = try await service.signIn(Self.ada, uses: uses, on: loop).get()
        #expect(person.person.isNew)
    }

    @Test func `sign-ins that are refused keep no place`() async throws {
        let service = try service(ModelAccountStore())
        for _ in 0...AccountSigning.limit {
            let refused = service.signIn(Self.ada, mayCreate: false, on: loop)
            await #expect(throws: AccountRefusal.self) { _ = try await refused.get() }
        }
        _ = try await service.signIn(Self.ada, on: loop).get()
    }

    @Test func `a refresh that cannot be signed now is not written, and sign-ins go on`() async throws {
        let (store, executor) = (ModelAccountStore(), HeldExecutor(isOpen: true))
        let service = try service(store, executor)
        let ada = try await service.signIn(Self.ada, on: loop).get()
        let eve = try await service.signIn(AccountFixture.person("eve", at: "p"), on: loop).get()
        executor.close()
        var waiting = (0..<256).map { _ in service.refresh(ada.refreshToken, on: loop).map { $0.account.id } }
        let refused = service.refresh(eve.refreshToken, on: loop)
        let error = await #expect(throws: AccountStoreError.self) { _ = try await refused.get() }
        #expect(error?.code == .unavailable)
        let account = try store.transact(.read) { try $0.account(eve.person.account.id) }
        #expect(account != nil && account?.lastRefreshAt == nil)
        waiting.append(
            service.signIn(AccountFixture.person("ben", at: "p"), on: loop).map { $0.person.account.id })
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
        let future = try signing(algorithm).sign(
            fixture.account, fixture.identities, session, now: AccountTokenFixture.now, on: loop)
        let error = await #expect(throws: AccountSigningError.self) { _ = try await future.get() }
        #expect((error?.reason as? AccountTokenError)?.code == .mismatch)
        #expect(error?.description == "no token was made: session or identity of another account")
    }

    @Test func `an account whose token would be too long keeps its sessions`() async throws {
        let service = try service(ModelAccountStore(), algorithm: .es256)
        let subject = String(repeating: "s", count: 1000)
        let person = try await service.signIn(AccountFixture.person(subject, at: "p"), on: loop).get()
        var failure: (any Error)?
        for number in 1..<AccountLimits.identities where failure == nil {
            do {
                _ = try await service.link(
                    AccountFixture.person(subject, at: "p\(number)"), idToken: person.idToken, on: loop
                ).get()
            } catch {
                failure = error
            }
        }
        let error = try #require(failure as? AccountSigningError)
        #expect((error.reason as? AccountTokenError)?.code == .tooLong)
        let refresh = service.refresh(person.refreshToken, on: loop)
        await #expect(throws: AccountSigningError.self) { _ = try await refresh.get() }
        _ = try await service.lookup(idToken: person.idToken, on: loop).get()
        // Once it has become shorter again, there is a token again.
        _ = try await service.update(unlinking: ["p1"], idToken: person.idToken, on: loop).get()
        _ = try await service.refresh(person.refreshToken, on: loop).get()
    }

    /// Holds all work while it is closed.
    private final class HeldExecutor: AccountSigningExecutor {
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
