// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Whether a server takes requests, which `/readyz` says. It goes one way: from starting to ready to draining.
public final class ReadinessState: Sendable {
    /// A phase of a server's life.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        /// It does not listen yet.
        case starting
        /// It listens and is configured.
        case ready
        /// It has been told to end. It may still take requests for a while, but wants no new ones.
        case draining

        fileprivate init(number: UInt8) {
            self =
                switch number {
                case 0: .starting
                case 1: .ready
                default: .draining
                }
        }
    }

    private let number = Atomic<UInt8>(0)

    /// Creates the state of a server that is starting.
    public init() {}

    /// The phase now.
    public var phase: Phase { Phase(number: number.load(ordering: .acquiring)) }

    /// Records that the server listens and is configured. One that drains already does not become ready any more.
    public func becomeReady() {
        _ = number.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing)
    }

    /// Records that the server has been told to end.
    public func beginDraining() { number.store(2, ordering: .releasing) }
}
