// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerServer

/// Which step may be taken when, without a file.
struct KeyRotationStateMachineTests {
    private static let now: Int64 = 1_700_000_000

    /// A group of all keys, in which the algorithm of each stands before a dot of its identifier.
    private static func group(_ ids: [String], algorithm: String? = nil) -> KeyRotation.Group {
        KeyRotation.Group(
            ids.map { KeyFile.Key(id: $0, algorithm: String($0.prefix { $0 != "." }), bitCount: 256) },
            algorithm: algorithm)
    }

    private static func record(
        _ kind: KeyRotation.Kind, _ step: KeyRotation.Step, _ ids: [String], at time: Int64 = now,
        algorithm: String? = nil, before: KeyRotationRecord.State? = nil
    ) -> KeyRotationRecord {
        KeyRotationRecord(
            kind: kind, algorithm: algorithm,
            state: KeyRotationRecord.State(step: step, time: time, keyIDs: ids),
            before: before ?? KeyRotationRecord.State(step: .drop, time: 0, keyIDs: ["before"]))
    }

    @Test(arguments: KeyRotation.Kind.allCases)
    func `the first step is to add, at any time`(kind: KeyRotation.Kind) {
        let machine = KeyRotation.StateMachine(kind, record: nil)
        let action = machine.next(Self.group(["a"]), asked: nil, now: Self.now)
        #expect(action == .take(.add, isKnownToBeInTime: true))
        #expect(
            machine.next(Self.group(["a"]), asked: .add, now: Self.now) == .take(.add, isKnownToBeInTime: true))
    }

    @Test(arguments: [
        (KeyRotation.Kind.sealing, Int64(600), Int64(87_000)), (KeyRotation.Kind.signing, Int64(900), Int64(87_300)),
        (KeyRotation.Kind.accounts, Int64(22_200), Int64(7200)), (KeyRotation.Kind.resource, Int64(900), Int64(4500)),
        (KeyRotation.Kind.sessionCookies, Int64(22_200), Int64(1_210_500)),
    ])
    func `each step waits for its time, and not a second longer`(
        kind: KeyRotation.Kind, untilPromotion: Int64, untilDrop: Int64
    ) {
        let waits: [(KeyRotation.Step, KeyRotation.Step, [String], Int64)] = [
            (.add, .promote, ["a", "b"], untilPromotion), (.promote, .drop, ["b", "a"], untilDrop),
        ]
        for (done, next, ids, wait) in waits {
            let machine = KeyRotation.StateMachine(kind, record: Self.record(kind, done, ids))
            let due = Self.now + wait
            for early in [Self.now - 1000, Self.now, due - 1] {
                #expect(machine.next(Self.group(ids), asked: nil, now: early) == .wait(next, until: due))
                #expect(machine.next(Self.group(ids), asked: next, now: early) == .wait(next, until: due))
            }
            for late in [due, due + 1_000_000] {
                let action = machine.next(Self.group(ids), asked: nil, now: late)
                #expect(action == .take(next, isKnownToBeInTime: true))
            }
        }
    }

    @Test func `after the last step a new key may be added at once`() {
        let machine = KeyRotation.StateMachine(.accounts, record: Self.record(.accounts, .drop, ["b"]))
        #expect(machine.next(Self.group(["b"]), asked: nil, now: Self.now) == .take(.add, isKnownToBeInTime: true))
    }

    @Test func `a step that was recorded and not taken counts as not taken`() {
        let added = KeyRotationRecord.State(step: .add, time: Self.now, keyIDs: ["a", "b"])
        let record = Self.record(.signing, .promote, ["b", "a"], at: Self.now + 900, before: added)
        let machine = KeyRotation.StateMachine(.signing, record: record)
        let action = machine.next(Self.group(["a", "b"]), asked: nil, now: Self.now + 901)
        #expect(action == .take(.promote, isKnownToBeInTime: true))
        let early = machine.next(Self.group(["a", "b"]), asked: nil, now: Self.now + 899)
        #expect(early == .wait(.promote, until: Self.now + 900))
    }

    @Test func `the record of a step has the state before it as well`() {
        let machine = KeyRotation.StateMachine(.sealing, record: Self.record(.sealing, .add, ["a", "b"]))
        let next = machine.recording(.promote, Self.group(["a", "b"]), newIDs: ["b", "a"], now: Self.now + 600)
        #expect(next.state == KeyRotationRecord.State(step: .promote, time: Self.now + 600, keyIDs: ["b", "a"]))
        #expect(next.before == KeyRotationRecord.State(step: .add, time: Self.now, keyIDs: ["a", "b"]))
        #expect(KeyRotationRecord(json: next.json) == next)
    }

    @Test func `what the record does not explain is refused, unless the step is named and fits`() {
        typealias Case = (KeyRotationRecord?, [String], KeyRotation.Step?, KeyRotation.StateMachine.Action)
        let cases: [Case] = [
            (nil, ["a", "b"], nil, .refuse(.unknownStep(count: 2))),
            (nil, ["a", "b"], .add, .refuse(.wrongCount(.add, count: 2))),
            (nil, ["a", "b"], .promote, .take(.promote, isKnownToBeInTime: false)),
            (nil, ["a", "b"], .drop, .take(.drop, isKnownToBeInTime: false)),
            (nil, ["a", "b", "c"], .promote, .refuse(.wrongCount(.promote, count: 3))),
            (nil, ["a", "b", "c"], .drop, .take(.drop, isKnownToBeInTime: false)),
            (nil, ["a"], .promote, .refuse(.wrongCount(.promote, count: 1))),
            (nil, ["a"], .drop, .refuse(.wrongCount(.drop, count: 1))),
            (nil, [], nil, .refuse(.noKey("any"))),
            (Self.record(.signing, .add, ["a", "b"]), ["b", "a"], nil, .refuse(.otherKeys)),
            (Self.record(.signing, .add, ["a", "b"]), ["c"], nil, .refuse(.otherKeys)),
            (Self.record(.signing, .add, ["a", "b"]), ["b", "a"], .drop, .take(.drop, isKnownToBeInTime: false)),
            (Self.record(.accounts, .add, ["a", "b"]), ["a", "b"], nil, .refuse(.otherKind(.accounts))),
            (Self.record(.accounts, .add, ["a", "b"]), ["a", "b"], .promote, .refuse(.otherKind(.accounts))),
            (Self.record(.signing, .add, ["a", "b"]), ["a", "b"], .drop, .refuse(.notNext(.drop, next: .promote))),
            (Self.record(.signing, .promote, ["b", "a"]), ["b", "a"], .add, .refuse(.notNext(.add, next: .drop))),
            (Self.record(.signing, .drop, ["b", "a"]), ["b", "a"], nil, .refuse(.unknownStep(count: 2))),
        ]
        for (record, ids, asked, expected) in cases {
            let machine = KeyRotation.StateMachine(.signing, record: record)
            #expect(machine.next(Self.group(ids), asked: asked, now: Self.now + 1_000_000) == expected, "\(ids)")
        }
    }

    @Test func `signing keys of one algorithm are changed while those of another stay`() {
        let ids = ["ES256.a", "ES256.b", "RS256.c"]
        let record = Self.record(.signing, .add, ids, algorithm: "ES256")
        let machine = KeyRotation.StateMachine(.signing, record: record)
        #expect(machine.algorithmInProgress(ids) == "ES256")
        let due = Self.now + 900
        let elliptic = machine.next(Self.group(ids, algorithm: "ES256"), asked: nil, now: due)
        #expect(elliptic == .take(.promote, isKnownToBeInTime: true))
        let rsa = machine.next(Self.group(ids, algorithm: "RS256"), asked: nil, now: due)
        #expect(rsa == .refuse(.otherAlgorithm("ES256")))
        let ended = KeyRotation.StateMachine(.signing, record: Self.record(.signing, .drop, ids, algorithm: "ES256"))
        #expect(ended.algorithmInProgress(ids) == nil)
        let next = ended.next(Self.group(ids, algorithm: "RS256"), asked: nil, now: Self.now)
        #expect(next == .take(.add, isKnownToBeInTime: true))
        let none = ended.next(Self.group(["ES256.a"], algorithm: "RS256"), asked: nil, now: Self.now)
        #expect(none == .refuse(.noKey("RS256")))
    }
}
