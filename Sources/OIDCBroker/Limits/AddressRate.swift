// SPDX-License-Identifier: Apache-2.0

import Admission
import OpenIDRelyingParty
import Synchronization

/// The limit on how often the client at each address may do something, or do it at each provider, which is given by its
/// ``ProviderEntry/number``. An IPv6 /56 has four times and a /48 eight times the rate of a /64. A client whose address is
/// not known has no limit.
final class AddressRate: Sendable {
    private let state: Mutex<StateMachine>
    private let clock: any ElapsedClock

    /// - Parameter rate: The rate; `nil` for no limit.
    init(_ rate: TokenBucketRate?, clock: any ElapsedClock) {
        state = Mutex(StateMachine(rate))
        self.clock = clock
    }

    /// Counts a request if it may proceed.
    /// - Returns: The time until one may, in seconds, at least 1; `nil` if it may proceed.
    func take(_ client: IPAddress?, at provider: UInt64? = nil) -> Int64? {
        guard let client else { return nil }
        let now = clock.now()
        return state.withLock { $0.take(client, at: provider, now: now) }
    }

    /// Returns the time until a request may proceed, in seconds, at least 1; `nil` if one may now.
    func wait(_ client: IPAddress?, at provider: UInt64? = nil) -> Int64? {
        guard let client else { return nil }
        let now = clock.now()
        return state.withLock { $0.wait(client, at: provider, now: now) }
    }

    /// Counts a request no longer that was counted, and should not have been.
    func giveBack(_ client: IPAddress?, at provider: UInt64? = nil) {
        guard let client else { return }
        let now = clock.now()
        state.withLock { $0.giveBack(client, at: provider, now: now) }
    }

    /// Replaces the rate. What each client has left stays, as far as the new bucket holds it.
    func replace(by rate: TokenBucketRate?) { state.withLock { $0.replace(by: rate) } }
}
