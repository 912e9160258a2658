// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty
import Testing

@testable import OIDCBrokerValkey

/// What the answers of servers and sentinels mean for a user, without any.
struct ValkeyDiagnosisTests {
    private typealias Question = ValkeyHandshake.Question
    private typealias Answer = (question: Question, answer: Result<RESPValue, ValkeyStoreError>)

    private static let now: Int64 = 1_800_000_000

    private func bulk(_ text: String) -> Result<RESPValue, ValkeyStoreError> { .success(.bulk(Array(text.utf8))) }

    /// The answers of a server that will do, with some of them replaced.
    private func answers(_ changes: [Question: Result<RESPValue, ValkeyStoreError>] = [:]) -> [Answer] {
        let seconds = RESPValue.bulk(Array("\(Self.now + 3)".utf8))
        let all: [Answer] = [
            (.authenticate, .success(.simple("OK"))), (.name, .success(.simple("OK"))),
            (.server, bulk("redis_version:7.0.15\r\nredis_mode:standalone\r\n")),
            (.replication, bulk("role:master\r\nconnected_slaves:2\r\n")),
            (.memory, bulk("maxmemory_policy:noeviction\r\n")), (.time, .success(.array([seconds]))),
        ]
        return all.map { ($0.question, changes[$0.question] ?? $0.answer) }
    }

    private func checks(
        _ changes: [Question: Result<RESPValue, ValkeyStoreError>] = [:], standbys: Int = 0
    ) -> [LiveCheck] {
        ValkeyDiagnosis(standbysToWaitFor: standbys, now: Self.now).checks(of: "cache:6379", answers(changes))
    }

    private func lines(_ checks: [LiveCheck]) -> [String] {
        checks.map { "\($0.verdict.rawValue) \($0.subject.rawValue): \($0.found)" }
    }

    @Test func `a server that will do is a line for each thing`() {
        #expect(
            lines(checks(standbys: 2)) == [
                "ok store: cache:6379 answers", "ok store-password: accepted", "ok store-version: redis 7.0.15",
                "ok store-role: role master", "ok store-standbys: 2 connected",
                "ok store-policy: maxmemory-policy noeviction",
                "ok store-clock: the clock of the store is 3 s ahead",
            ])
        #expect(checks().allSatisfy { $0.advice == nil && $0.provider == nil })
        #expect(!checks().contains { $0.subject == .storeStandbys })
    }

    @Test func `each thing that is wrong is one line, with what to change`() {
        func wrong(_ changes: [Question: Result<RESPValue, ValkeyStoreError>], standbys: Int = 0) -> [String] {
            let wrong = checks(changes, standbys: standbys).filter { $0.verdict != .ok }
            #expect(wrong.allSatisfy { $0.advice?.isEmpty == false })
            return lines(wrong)
        }
        #expect(wrong([.server: bulk("redis_version:6.2.1\r\n")]) == ["wrong store-version: redis 6.2.1"])
        #expect(
            wrong([.server: bulk("valkey_version:8.1.0\r\nserver_mode:cluster\r\n")])
                == ["wrong store-version: valkey 8.1.0, a node of a cluster"])
        #expect(wrong([.replication: bulk("role:slave\r\n")], standbys: 1) == ["wrong store-role: role slave"])
        #expect(wrong([:], standbys: 3) == ["wrong store-standbys: 2 connected"])
        #expect(
            wrong([.memory: bulk("maxmemory_policy:volatile-lru\r\n")])
                == ["wrong store-policy: maxmemory-policy volatile-lru"])
        let late = RESPValue.array([.bulk(Array("\(Self.now - 61)".utf8))])
        #expect(
            wrong([.time: .success(late)]) == ["wrong store-clock: the clock of the store is 61 s behind"])
        #expect(wrong([.time: .success(.null)]) == ["wrong store-clock: unexpectedAnswer: nothing"])
    }

    @Test func `a wrong password is said once, and nothing of what it hides`() {
        let refused = RESPValue.error("NOAUTH Authentication required.")
        var changes: [Question: Result<RESPValue, ValkeyStoreError>] = [:]
        for entry in answers() { changes[entry.question] = .success(refused) }
        changes[.authenticate] = .success(.error("WRONGPASS hunter2"))
        #expect(lines(checks(changes)) == ["ok store: cache:6379 answers", "wrong store-password: refused"])
        #expect(!"\(checks(changes))".contains("hunter2"))
    }

    @Test func `a server that was not asked is unreachable, and one that must be encrypted wrong`() {
        var changes: [Question: Result<RESPValue, ValkeyStoreError>] = [:]
        for entry in answers() { changes[entry.question] = .failure(.closed) }
        #expect(lines(checks(changes)) == ["unreachable store: cache:6379: closed"])
        let diagnosis = ValkeyDiagnosis(standbysToWaitFor: 0, now: Self.now)
        #expect(diagnosis.unreached("cache:6379", .unreachable).verdict == .unreachable)
        #expect(diagnosis.unreached("cache:6379", .notEncrypted).verdict == .wrong)
    }

    @Test func `a sentinel says what it sees`() {
        let address = ValkeyAddress.host("10.0.0.1", port: 6379)
        func check(
            _ answer: Result<WatchedPrimary, ValkeyStoreError>, standbys: Int = 1
        ) -> LiveCheck {
            ValkeyDiagnosis(standbysToWaitFor: standbys, now: Self.now).check(
                ofSentinel: .host("10.0.0.9", port: 26_379), primaryName: "broker", answer)
        }
        func primary(_ isReached: Bool, _ downAfter: Int64) -> Result<WatchedPrimary, ValkeyStoreError> {
            .success(WatchedPrimary(address: address, isReached: isReached, downAfter: .milliseconds(downAfter)))
        }
        #expect(
            check(primary(true, 1000)).found
                == "10.0.0.9:26379: 10.0.0.1:6379, reached, down-after-milliseconds 1000")
        #expect(check(primary(true, 2500)).verdict == .ok)
        #expect(check(primary(true, 2501)).verdict == .unknown)
        #expect(check(primary(true, 30_000), standbys: 0).verdict == .ok)
        #expect(check(primary(false, 1000)).verdict == .wrong)
        #expect(check(.failure(.wrongPassword)).verdict == .wrong)
        #expect(check(.failure(.unreachable)).verdict == .unreachable)
    }
}
