// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The places for callbacks that wait for providers at the same time. With several providers, each may have at most
/// half of the places, so that a slow provider leaves room for sign-ins with the others.
package final class CallbackPlaces: Sendable {
    private let state: Mutex<StateMachine>

    /// Creates free places.
    package init(maximum: Int) { state = Mutex(StateMachine(maximum: maximum)) }

    /// Takes a place for a callback.
    /// - Parameter provider: The ``ProviderEntry/number`` of the provider, which may have half of the places; `nil` if
    ///   no other provider has callbacks, so that this one may have all places.
    /// - Returns: Whether there was a place. If so, ``end(of:)`` must follow.
    package func begin(of provider: UInt64?) -> Bool { state.withLock { $0.begin(of: provider) } }

    /// Gives back the place of a callback.
    /// - Parameter provider: The number that ``begin(of:)`` was called with.
    package func end(of provider: UInt64?) { state.withLock { $0.end(of: provider) } }

    /// The places that are taken now.
    package var taken: StateMachine { state.withLock { $0 } }

    /// Replaces the number of places. Those that are taken stay taken until their callbacks end.
    package func replace(maximum: Int) { state.withLock { $0.maximum = maximum } }
}
