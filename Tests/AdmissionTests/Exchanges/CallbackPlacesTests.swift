// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Admission

/// The callbacks that wait for providers at once.
struct CallbackPlacesTests {
    private typealias Machine = CallbackPlaces.StateMachine

    /// The number of places that a provider gets.
    private func beginAll(_ machine: inout Machine, _ provider: UInt64?) -> Int {
        var count = 0
        while machine.begin(of: provider) { count += 1 }
        return count
    }

    @Test(arguments: [(1, 1, 0), (2, 1, 1), (3, 2, 1), (4, 2, 2), (7, 4, 3), (2048, 1024, 1024)])
    func `one of several providers gets half, rounded up, and another one the rest`(
        maximum: Int, first: Int, second: Int
    ) {
        var machine = Machine(maximum: maximum)
        #expect(beginAll(&machine, 1) == first)
        #expect(beginAll(&machine, 2) == second)
        #expect(beginAll(&machine, 3) == 0)
        #expect(machine.count == maximum)
    }

    @Test(arguments: [1, 2, 5]) func `the only provider gets all`(maximum: Int) {
        var machine = Machine(maximum: maximum)
        #expect(beginAll(&machine, nil) == maximum)
        machine.end(of: nil)
        #expect(beginAll(&machine, nil) == 1)
    }

    @Test(arguments: [0, -1, Int.min]) func `there is one place at least`(maximum: Int) {
        var machine = Machine(maximum: maximum)
        #expect(beginAll(&machine, 1) == 1)
    }

    @Test func `each end makes room for one, and nothing is kept of a provider without places`() {
        var machine = Machine(maximum: 4)
        #expect(beginAll(&machine, 1) == 2)
        #expect(beginAll(&machine, 2) == 2)
        machine.end(of: 1)
        #expect(machine.begin(of: 2) == false, "its half is taken")
        #expect(machine.begin(of: 3) == true)
        for provider in [1, 2, 2, 3] as [UInt64] { machine.end(of: provider) }
        #expect(machine.count == 0)
        #expect(machine.providerCount == 0)
        // What was not begun cannot end.
        machine.end(of: 1)
        #expect(machine.count == 0)
    }

    @Test func `with fewer places than are taken, no request gets one until enough ended`() {
        var machine = Machine(maximum: 4)
        #expect(beginAll(&machine, nil) == 4)
        machine.maximum = 2
        for _ in 0..<2 {
            #expect(machine.begin(of: nil) == false)
            machine.end(of: nil)
        }
        #expect(machine.begin(of: nil) == false)
        machine.end(of: nil)
        #expect(machine.begin(of: nil) == true)
    }
}
