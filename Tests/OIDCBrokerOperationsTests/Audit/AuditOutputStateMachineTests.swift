// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerOperations

/// What the main log is told about the audit.
struct AuditOutputStateMachineTests {
    private static let full = LogFailure("write", 28)
    private static let broken = LogFailure("write", 5)

    @Test func `an audit that is written says nothing`() {
        var machine = AuditOutput.StateMachine()
        for second in 0..<5 as Range<Int64> { #expect(machine.note(lost: 0, nil, now: second) == nil) }
    }

    @Test func `the first failure of a second is told, the next second's with those in between`() {
        var machine = AuditOutput.StateMachine()
        #expect(machine.note(lost: 1, Self.full, now: 10) == .failed(lines: 1, Self.full))
        for _ in 0..<3 { #expect(machine.note(lost: 1, Self.full, now: 10) == nil) }
        #expect(machine.note(lost: 1, Self.broken, now: 11) == .failed(lines: 4, Self.broken))
        #expect(machine.note(lost: 2, Self.full, now: 12) == .failed(lines: 2, Self.full))
    }

    @Test func `that it works again is told once, and not in the second of a failure`() {
        var machine = AuditOutput.StateMachine()
        _ = machine.note(lost: 1, Self.full, now: 10)
        _ = machine.note(lost: 1, Self.full, now: 10)
        #expect(machine.note(lost: 0, nil, now: 10) == nil)
        #expect(machine.note(lost: 0, nil, now: 11) == .recovered(lines: 1))
        // Nor is a failure told in the second of a recovery: it is with the next report.
        #expect(machine.note(lost: 1, Self.full, now: 11) == nil)
        #expect(machine.note(lost: 0, nil, now: 12) == .recovered(lines: 1))
        #expect(machine.note(lost: 0, nil, now: 13) == nil)
    }

    @Test func `a problem that comes and goes is reported once a second`() {
        var machine = AuditOutput.StateMachine()
        var told = 0
        for second in 0..<10 as Range<Int64> {
            for write in 0..<100 where machine.note(lost: 1, write % 2 == 0 ? Self.full : nil, now: second) != nil {
                told += 1
            }
        }
        #expect(told == 10)
    }

    @Test func `a failure that lost no line is told`() {
        var machine = AuditOutput.StateMachine()
        #expect(machine.note(lost: 0, LogFailure("open", 2), now: 1) == .failed(lines: 0, LogFailure("open", 2)))
    }
}
