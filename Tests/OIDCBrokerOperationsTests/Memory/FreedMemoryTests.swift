// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerOperations

/// When a process returns freed memory. That it helps, `Benchmarks/hostile-traffic` shows.
@Suite struct FreedMemoryTests {
    private static let step = FreedMemory.StateMachine.step

    /// What is seen, one look after the other, and whether memory is returned then.
    typealias Look = (resident: Int, held: Int, isDue: Bool)

    private func expect(_ looks: [Look]) {
        var machine = FreedMemory.StateMachine(resident: looks[0].resident, held: looks[0].held)
        for (number, look) in looks.enumerated() {
            let isDue = machine.looked(resident: look.resident, held: look.held)
            #expect(isDue == look.isDue, "look \(number)")
            if isDue { machine.trimmed(resident: look.resident, held: look.held) }
        }
    }

    @Test func `memory is returned when the process has grown by a step since the last time`() {
        let step = Self.step
        // At last it shrinks by itself, and grows again.
        expect([
            (100, 0, false), (99 + step, 0, false), (100 + step, 0, true), (99 + 2 * step, 0, false),
            (100 + 2 * step, 0, true), (10, 0, false), (10 + step, 0, true),
        ])
    }

    @Test func `memory is returned when clients hold a step less than at most since the last time`() {
        let step = Self.step
        expect([
            (100, 3 * step, false), (100, 4 * step, false), (100, 3 * step + 1, false), (100, 3 * step, true),
            (100, 2 * step + 1, false), (100, 2 * step, true),
        ])
    }

    @Test func `half a minute after the last step memory is returned once more`() {
        let step = Self.step
        let quiet: [Look] = Array(repeating: (step, 0, false), count: FreedMemory.StateMachine.looksAfterStep - 1)
        expect(
            [(0, 0, false), (step, 0, true)] + quiet + [(2 * step, 0, true)] + quiet + [(step, 0, true)] + quiet + quiet
        )
    }
}
