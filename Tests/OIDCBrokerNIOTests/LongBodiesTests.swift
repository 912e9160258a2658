// SPDX-License-Identifier: Apache-2.0

import Admission
import Testing

@testable import OIDCBrokerNIO

/// The one body that may be longer than all others, and its memory.
struct LongBodiesTests {
    private static let maximum = 8 << 20

    private func maximum(_ room: BodyRoom) -> Int? {
        if case .long(let place) = room { return place.maximumBytes }
        return nil
    }

    @Test func `there is one at a time, and its memory is given back`() {
        let (bodies, memory) = (LongBodies(), MemoryBudget(bytes: 256 << 20))
        var first: BodyRoom? = bodies.room(for: Self.maximum, in: memory)
        #expect(first.flatMap(maximum) == Self.maximum)
        #expect(memory.held == Self.maximum)
        #expect(maximum(bodies.room(for: 1, in: memory)) == nil)
        first = nil
        #expect(memory.held == 0)
        #expect(maximum(bodies.room(for: Self.maximum, in: memory)) == Self.maximum)
        #expect(memory.held == 0)
    }

    @Test func `without enough memory there is none, and the place stays free`() {
        let bodies = LongBodies()
        // Long bodies have an eighth.
        #expect(maximum(bodies.room(for: Self.maximum, in: MemoryBudget(bytes: 8 * Self.maximum - 8))) == nil)
        #expect(maximum(bodies.room(for: Self.maximum, in: MemoryBudget(bytes: 8 * Self.maximum))) == Self.maximum)
    }
}
