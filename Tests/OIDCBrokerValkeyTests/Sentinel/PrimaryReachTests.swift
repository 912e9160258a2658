// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import OIDCBrokerValkey

/// Whether most sentinels reach the primary, without any.
struct PrimaryReachTests {
    private let old = ValkeyAddress.host("10.0.0.1", port: 6379)
    private let new = ValkeyAddress.host("10.0.0.2", port: 6379)

    private func primary(
        _ address: ValkeyAddress, isReached: Bool = true, downAfter: Int64 = 1000
    ) -> WatchedPrimary {
        WatchedPrimary(address: address, isReached: isReached, downAfter: .milliseconds(downAfter))
    }

    @Test func `it is decided once most of all sentinels reach it`() {
        var machine = PrimaryReach(of: old, sentinels: 3)
        #expect(machine.said(primary(old)) == .wait)
        #expect(machine.said(primary(old)) == .decide(.reached(noticedWithin: .milliseconds(2250))))
        #expect(machine.said(primary(new)) == .wait)
        var five = PrimaryReach(of: old, sentinels: 5)
        for _ in 0..<2 { #expect(five.said(primary(old)) == .wait) }
        #expect(five.failed() == .wait)
        #expect(five.said(primary(old, isReached: false)) == .wait)
        #expect(five.said(primary(old)) == .decide(.reached(noticedWithin: .milliseconds(2250))))
    }

    @Test func `half of them is not enough`() {
        var machine = PrimaryReach(of: old, sentinels: 4)
        for _ in 0..<2 { #expect(machine.said(primary(old)) == .wait) }
        #expect(machine.failed() == .wait)
        #expect(machine.failed() == .decide(.notNamed))
    }

    @Test func `one that most name and do not reach is told from one that most do not name`() {
        var cutOff = PrimaryReach(of: old, sentinels: 3)
        #expect(cutOff.said(primary(old, isReached: false)) == .wait)
        #expect(cutOff.said(primary(old)) == .wait)
        #expect(cutOff.failed() == .decide(.named))
        var replaced = PrimaryReach(of: old, sentinels: 3)
        #expect(replaced.said(primary(new)) == .wait)
        #expect(replaced.said(primary(old)) == .wait)
        #expect(replaced.said(primary(new)) == .decide(.notNamed))
        var silent = PrimaryReach(of: old, sentinels: 3)
        #expect(silent.failed() == .wait)
        #expect(silent.failed() == .wait)
        #expect(silent.said(primary(old)) == .decide(.notNamed))
    }

    @Test func `the slowest of them says when a cut is noticed, with the time of a question`() {
        var machine = PrimaryReach(of: old, sentinels: 3)
        #expect(machine.said(primary(old, downAfter: 400)) == .wait)
        #expect(
            machine.said(primary(old, downAfter: 5000)) == .decide(.reached(noticedWithin: .milliseconds(6250))))
        var quick = PrimaryReach(of: old, sentinels: 1)
        #expect(quick.said(primary(old, downAfter: 400)) == .decide(.reached(noticedWithin: .milliseconds(1050))))
    }

    /// An answer to `SENTINEL MASTER`, with other fields than these too.
    private func answer(_ changes: [String: String?] = [:]) -> RESPValue {
        var fields = [
            "name": "broker", "ip": "10.0.0.1", "port": "6379", "runid": "a", "flags": "master",
            "down-after-milliseconds": "1000", "quorum": "2",
        ]
        for (name, value) in changes { fields[name] = value }
        return .array(fields.flatMap { [.bulk(Array($0.key.utf8)), .bulk(Array($0.value.utf8))] })
    }

    @Test func `what a sentinel sees is its flags`() throws {
        for flags in ["s_down,master", "master,s_down,o_down", "s_down", "o_down", "master,failover_in_progress"] {
            let seen = try SentinelAnswers.watched(answer(["flags": flags]))
            #expect(seen == primary(old, isReached: false), "\(flags)")
        }
        for flags in ["master", "", "master,disconnected", "s_downs", "xs_down", "S_DOWN"] {
            #expect(try SentinelAnswers.watched(answer(["flags": flags])) == primary(old), "\(flags)")
        }
    }

    @Test func `an answer that leaves something out, or has it twice, is none`() {
        var wrong: [RESPValue] = ["ip", "port", "flags", "down-after-milliseconds"].map { answer([$0: nil]) }
        for time in ["0", "-1", "x", "", "86400001", "99999999999999999999"] {
            wrong.append(answer(["down-after-milliseconds": time]))
        }
        wrong += [answer(["port": "0"]), answer(["ip": "/tmp/s"]), .null, .simple("OK"), .integer(1), .array([])]
        if case .array(let parts) = answer() {
            wrong += [.array(parts + parts), .array(Array(parts.dropLast())), .array(parts + [.integer(1), .null])]
        }
        wrong.append(.error("ERR No such master with that name"))
        for value in wrong {
            #expect(throws: ValkeyStoreError.unexpectedAnswer, "\(value)") { try SentinelAnswers.watched(value) }
        }
        #expect(throws: ValkeyStoreError.wrongPassword) { try SentinelAnswers.watched(.error("NOPERM no")) }
    }
}
