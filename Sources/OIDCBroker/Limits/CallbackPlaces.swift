// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The callbacks that wait for providers at once: as many as there are places, and of several providers half for one,
/// so that one that responds slowly leaves room for the sign-ins by the others.
final class CallbackPlaces: Sendable {
    private let state: Mutex<StateMachine>

    init(maximum: Int) { state = Mutex(StateMachine(maximum: maximum)) }

    /// Takes a place for a callback.
    /// - Parameter provider: The ``ProviderEntry/number`` of the provider, which may have half of the places; `nil` if
    ///   no other has callbacks, in which case nothing has to be counted for it.
    /// - Returns: Whether there was one, in which case ``end(of:)`` must follow.
    func begin(of provider: UInt64?) -> Bool { state.withLock { $0.begin(of: provider) } }

    /// Gives the place of a callback back.
    /// - Parameter provider: The number with which it began.
    func end(of provider: UInt64?) { state.withLock { $0.end(of: provider) } }

    /// The places that are taken now.
    var taken: StateMachine { state.withLock { $0 } }

    /// Replaces the number of places. Those that are taken stay taken until their callbacks end.
    func replace(maximum: Int) { state.withLock { $0.maximum = maximum } }
}
