// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerOperations

/// When a process returns freed memory. That it helps, `Benchmarks/hostile-traffic` shows.
@Suite struct FreedMemoryTests {
    private let step = FreedMemory.StateMachine.step

    @Test func `memory is returned when the process has grown by a step since the last time`() {
        var machine = FreedMemory.StateMachine(resident: 100, held: 0)
        #expect(!machine.looked(resident: 99 + step, held: 0))
        #expect(machine.looked(resident: 100 + step, held: 0))
        machine.trimmed(resident: 50 + step, held: 0)
        #expect(!machine.looked(resident: 100 + step, held: 0))
        // It shrank by itself, and grows again.
        #expect(!machine.looked(resident: 10, held: 0))
        #expect(machine.looked(resident: 10 + step, held: 0))
    }

    @Test func `memory is returned when clients hold a step less than at most since the last time`() {
        var machine = FreedMemory.StateMachine(resident: 100, held: 3 * step)
        #expect(!machine.looked(resident: 100, held: 4 * step))
        #expect(!machine.looked(resident: 100, held: 3 * step + 1))
        #expect(machine.looked(resident: 100, held: 3 * step))
        machine.trimmed(resident: 100, held: 3 * step)
        #expect(!machine.looked(resident: 100, held: 2 * step + 1))
        #expect(machine.looked(resident: 100, held: 2 * step))
    }
}
