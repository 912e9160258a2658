// SPDX-License-Identifier: Apache-2.0

package import Admission
import Synchronization

/// The room for the body of a request.
package enum BodyRoom: Sendable {
    /// As many bytes as the limits say, whose memory is taken as they arrive.
    case usual
    /// More bytes, whose memory is taken already.
    case long(LongBodies.Place)
    /// None: another long body is under way, or there is not enough memory. The request is refused.
    case noRoom
}

/// The only place for a body that is longer than all others.
package final class LongBodies: Sendable {
    /// The place of one request. It is free again when this is released, which is after the response.
    package final class Place: Sendable {
        /// The maximum size of the body, in bytes.
        let maximumBytes: Int
        private let bodies: LongBodies
        private let memory: MemoryBudget

        fileprivate init(_ maximumBytes: Int, of bodies: LongBodies, in memory: MemoryBudget) {
            (self.maximumBytes, self.bodies, self.memory) = (maximumBytes, bodies, memory)
        }

        deinit {
            memory.giveBack(maximumBytes, of: .longBodies, for: nil)
            bodies.isTaken.store(false, ordering: .releasing)
        }
    }

    private let isTaken = Atomic(false)

    /// Creates a place that is free.
    package init() {}

    /// Takes the place, and memory for the longest body.
    /// - Parameters:
    ///   - maximumBytes: The maximum size of the body, in bytes.
    ///   - memory: The memory for what clients make the process hold.
    package func room(for maximumBytes: Int, in memory: MemoryBudget) -> BodyRoom {
        guard isTaken.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged else {
            return .noRoom
        }
        guard memory.take(maximumBytes, of: .longBodies, for: nil) == nil else {
            isTaken.store(false, ordering: .releasing)
            return .noRoom
        }
        return .long(Place(maximumBytes, of: self, in: memory))
    }
}
