// SPDX-License-Identifier: Apache-2.0

import Admission
import JOSE
import NIOCore
import NIOPosix
import StoreTesting
import Synchronization
import Testing

@testable import Accounts

/// The question before an account is made.
struct NewAccountTests {
    private static let now = AccountTokenFixture.now
    private let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()
    private let store = ModelAccountStore()

    /// Who decides, and what was asked.
    private final class Decider: Sendable {
        let asked = Mutex<[NewAccountQuestion]>([])
        let answer: @Sendable (any EventLoop) -> EventLoopFuture<NewAccountDecision>

        init(_ answer: @escaping @Sendable (any EventLoop) -> EventLoopFuture<NewAccountDecision>) {
            self.answer = answer
        }

        convenience init(_ decision: NewAccountDecision) {
            self.init { $0.makeSucceededFuture(decision) }
        }

        func asking(within time: TimeAmount) -> NewAccountDecider {
            NewAccountDecider(within: time) { [self] question, loop in
                asked.withLock { $0.append(question) }
                return answer(loop)
            }
        }

        var count: Int { asked.withLock { $0.count } }
    }

    private func service(
        _ decider: Decider, _ policy: AccountPolicy = AccountPolicy(), within time: TimeAmount = .minutes(10)
    ) throws -> AccountService {
        AccountService(
            store: store, policy: policy, tokens: try AccountTokenFixture().tokens, clock: { Self.now },
            queues: AccountQueues(), newAccounts: decider.asking(within: time))
    }

    private static let ada = AccountFixture.person(at: "p", email: "ada@example.com")

    @Test func `an account that is allowed is made with its claims, and its user is not asked about again`() throws {
        let claims = try #require(CustomClaims(json: #"{"role":"member"}"#))
        let decider = Decider(.allowed(customClaims: claims))
        let service = try service(decider)
        var request = SignInRequest(Self.ada, app: "web")
        request.claims = ["hd": "example.com"]
        let person = try service.signIn(request, on: loop).wait()
        #expect(person.person.isNew && person.person.account.customClaims == claims)
        #expect(
            decider.asked.withLock { $0 }
                == [NewAccountQuestion(identity: Self.ada, app: "web", claims: ["hd": "example.com"])])
        #expect(try !service.signIn(SignInRequest(Self.ada), on: loop).wait().person.isNew)
        #expect(try !service.enter(SignInRequest(Self.ada), on: loop).wait().isNew)
        #expect(decider.count == 1)
        let other = try service.enter(SignInRequest(AccountFixture.person("bob", at: "p")), on: loop).wait()
        #expect(other.account.customClaims == claims && decider.count == 2)
    }

    @Test func `one that is refused is not made, and nothing is used up`() throws {
        let service = try service(Decider(.refused(reason: "Only for members.")))
        var request = SignInRequest(Self.ada)
        request.uses = [TokenUse(hash: [1], expiry: Self.now + 60)]
        let error = #expect(throws: AccountRefusal.self) { try service.signIn(request, on: loop).wait() }
        #expect(error?.code == .blocked && error?.blockingReason == "Only for members.")
        #expect(store.contents.accounts.isEmpty)
        let allowed = try self.service(Decider(.allowed(customClaims: nil)))
        #expect(try allowed.signIn(request, on: loop).wait().person.isNew)
    }

    static let unasked: [(policy: AccountPolicy, mayCreate: Bool, code: AccountRefusal.Code)] = [
        (AccountPolicy(makesAccounts: false), true, .noNewAccounts), (AccountPolicy(), false, .unknown),
    ]

    @Test(arguments: unasked)
    func `no server is asked where no account would be made`(
        row: (policy: AccountPolicy, mayCreate: Bool, code: AccountRefusal.Code)
    ) throws {
        let decider = Decider(.allowed(customClaims: nil))
        let service = try service(decider, row.policy)
        let error = #expect(throws: AccountRefusal.self) {
            try service.signIn(SignInRequest(Self.ada, mayCreate: row.mayCreate), on: loop).wait()
        }
        #expect(error?.code == row.code && decider.count == 0)
    }

    @Test func `an operator's new account is not asked about`() throws {
        let decider = Decider(.refused(reason: "no"))
        var account = Account(id: AccountID(), createdAt: 1)
        account.imported = ImportedRecord(json: "{}")
        let user = ImportedUser(account, identities: [])
        #expect(try service(decider).create(user, on: loop).wait() == .added)
        #expect(decider.count == 0)
    }

    @Test(arguments: [
        String(repeating: "x", count: 201), "", "a\u{7}b", String(repeating: "\u{E9}", count: 101),
    ])
    func `a reason that is too long or has control characters makes no account, and is not told`(reason: String) throws
    {
        let service = try service(Decider(.refused(reason: reason)))
        #expect(throws: NewAccountError.invalidReason) { try service.signIn(SignInRequest(Self.ada), on: loop).wait() }
        let longest = String(repeating: "x", count: 200)
        let error = #expect(throws: AccountRefusal.self) {
            try self.service(Decider(.refused(reason: longest))).signIn(SignInRequest(Self.ada), on: loop).wait()
        }
        #expect(error?.blockingReason == longest)
    }

    @Test func `an answer that comes after two seconds is too late, and a failure makes no account`() throws {
        #expect(NewAccountDecider { $1.makeFailedFuture(NewAccountError("")) }.time == .seconds(2))
        let answer = loop.makePromise(of: NewAccountDecision.self)
        defer { answer.succeed(.allowed(customClaims: nil)) }
        let late = answer.futureResult
        let service = try service(Decider { _ in late }, within: .zero)
        #expect(throws: NewAccountError.tooLate) { try service.signIn(SignInRequest(Self.ada), on: loop).wait() }
        let failing = try self.service(Decider { $0.makeFailedFuture(NewAccountError("away")) })
        #expect(throws: NewAccountError("away")) { try failing.signIn(SignInRequest(Self.ada), on: loop).wait() }
        #expect(store.contents.accounts.isEmpty)
    }

    @Test func `the transaction decides again: who came meanwhile signs in, who went meanwhile is not made unasked`()
        throws
    {
        let operations = AccountOperations(policy: AccountPolicy())
        let (store, ada) = (store, Self.ada)
        let service = try service(
            Decider { loop in
                loop.makeCompletedFuture {
                    _ = try store.transact(.write) { try operations.enter(SignInRequest(ada), in: $0, now: Self.now) }
                    return .allowed(customClaims: CustomClaims(json: #"{"a":1}"#))
                }
            })
        let person = try service.signIn(SignInRequest(ada), on: loop).wait().person
        #expect(!person.isNew && person.account.customClaims == nil)
        var request = SignInRequest(AccountFixture.person("gone", at: "p"))
        request.permission = .notAsked
        let gone = request
        func enter() throws -> EnteredAccount {
            try store.transact(.write) { try operations.enter(gone, in: $0, now: Self.now) }
        }
        #expect(throws: NewAccountError.notAsked) { try enter() }
    }

    @Test func `sixty-four wait at once, six of a network`() throws {
        let places = AccountQueues().newAccounts
        func network(_ number: UInt8) -> [AccountQueues.Holder] { [.network([number])] }
        var givingBack = (0..<6).compactMap { _ in places.take(for: network(0)) }
        #expect(givingBack.count == 6 && places.take(for: network(0)) == nil)
        givingBack += (6..<64).compactMap { places.take(for: network(UInt8($0))) }
        #expect(givingBack.count == 64 && places.take(for: network(200)) == nil && places.take(for: []) == nil)
        givingBack[0]()
        #expect(places.take(for: network(0)) != nil)
        givingBack[1]()
        #expect(places.take(for: []) != nil)
    }

    @Test func `one more than may wait is refused at once`() throws {
        let waiting = Mutex<[EventLoopPromise<NewAccountDecision>]>([])
        let service = try service(
            Decider { loop in
                let promise = loop.makePromise(of: NewAccountDecision.self)
                waiting.withLock { $0.append(promise) }
                return promise.futureResult
            })
        let served = service.serving([[1]])
        let signIns = (0..<7).map {
            served.enter(SignInRequest(AccountFixture.person("\($0)", at: "p")), on: loop)
        }
        #expect(throws: NewAccountError.tooManyAsk) { try signIns[6].wait() }
        for promise in waiting.withLock({ $0 }) { promise.succeed(.allowed(customClaims: nil)) }
        for signIn in signIns.dropLast() { #expect(try signIn.wait().isNew) }
    }
}
