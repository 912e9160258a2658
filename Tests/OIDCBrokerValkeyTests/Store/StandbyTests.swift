// SPDX-License-Identifier: Apache-2.0

import SingleUse
import Testing
import TestingSupport

@testable import OIDCBrokerPages
@testable import OIDCBrokerValkey

/// A store that waits for a real standby.
@Suite(
    .onSockets, .enabled(if: RedisInstallation.isRequired, "needs redis-server and redis-sentinel"),
    .timeLimit(.minutes(10)))
struct StandbyTests {
    /// Asks again, as the broker does: on a busy machine a standby may take longer than the 300 ms that it has.
    private func confirmed<Answer: Equatable>(
        besides unconfirmed: Answer, _ ask: () async throws -> Answer
    ) async throws -> Answer {
        for _ in 0..<100 {
            let answer = try await ask()
            if answer != unconfirmed { return answer }
        }
        return unconfirmed
    }

    @Test func `a standby confirms, and one that hangs does not`() async throws {
        try await RedisGroup.run(sentinels: 0) { group async throws in
            try await group.withStore(standbysToWaitFor: 1) { store async throws in
                let (first, second) = (SingleUseAttempt(), SingleUseAttempt())
                for _ in 0..<2 {
                    let claim = try await confirmed(besides: .wonUnconfirmed) { try await store.claim(.test(1), first) }
                    #expect(claim == .won)
                }
                #expect(try await store.claim(.test(1)) == .lost)
                #expect(try await group.standby.has(RedisGroup.claimName(1)))
                for number: UInt8 in [2, 3] {
                    let put = try await confirmed(besides: .storedUnconfirmed) {
                        try await store.put(.test(number), [number])
                    }
                    #expect(put == .stored)
                }
                let taken = try await confirmed(besides: .value([2], isConfirmed: false)) {
                    try await store.take(.test(2), first)
                }
                #expect(taken == .value([2]))
                group.standby.suspend()
                #expect(try await store.claim(.test(4), second) == .wonUnconfirmed)
                // Asked again by the same attempt, it is not confirmed by having written nothing.
                #expect(try await store.claim(.test(4), second) == .wonUnconfirmed)
                #expect(try await store.claim(.test(4)) == .lost)
                #expect(try await store.put(.test(5), [5]) == .storedUnconfirmed)
                let take = try await store.take(.test(3), first)
                #expect(take == .value([3], isConfirmed: false))
                #expect(try await store.take(.test(3), first) == .value([3], isConfirmed: false))
                #expect(try await store.take(.test(3)) == .taken)
                group.standby.resume()
                try await RedisProcess.eventually { try await store.claim(.test(4), second) == .won }
                let again = try await confirmed(besides: .value([3], isConfirmed: false)) {
                    try await store.take(.test(3), first)
                }
                #expect(again == .value([3]))
                #expect(try await group.standby.has(RedisGroup.claimName(4)))
            }
        }
    }

    @Test func `of many at once each is held back for as long as its own batch`() async throws {
        try await RedisGroup.run(sentinels: 0) { group async throws in
            try await group.withStore(standbysToWaitFor: 1) { store async throws in
                group.standby.suspend()
                let claims = try await withThrowingTaskGroup(of: SingleUseClaim.self) { tasks in
                    for number: UInt8 in 0..<64 { tasks.addTask { try await store.claim(.test(number)) } }
                    var claims: [SingleUseClaim] = []
                    for try await claim in tasks { claims.append(claim) }
                    return claims
                }
                #expect(claims.count { $0 == .wonUnconfirmed } == 64)
                group.standby.resume()
            }
        }
    }

    @Test func `a repetition prolongs nothing`() async throws {
        try await RedisGroup.run(sentinels: 0) { group async throws in
            try await group.withStore(standbysToWaitFor: 1) { store async throws in
                let attempt = SingleUseAttempt()
                for seconds in [60, 600] {
                    let claim = try await confirmed(besides: .wonUnconfirmed) {
                        try await store.claim(.test(1), attempt, lifetime: .seconds(seconds))
                    }
                    #expect(claim == .won)
                }
                guard
                    case .integer(let rest) = try await group.primary.ask(
                        RESPCommand("PTTL", .text(RedisGroup.claimName(1))))
                else {
                    Issue.record("no lifetime")
                    return
                }
                #expect((1...60_000).contains(rest))
            }
        }
    }
}
