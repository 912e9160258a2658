// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// How an operation ends that fewer standbys than required confirmed: it is repeated for some time, and then succeeds
/// or fails.
struct StandbyConfirmation<Value: Sendable>: Sendable {
    /// The time for which a claim or a take is repeated, from its first answer on. After that it waits only until it is
    /// known that the server is the primary, see ``SingleUseEngine``.
    static var claimPatience: TimeAmount { .seconds(1) }

    /// The time of a take whose value was received, from its beginning on: the claim stays whatever becomes of the
    /// request, so that no other request gets the value. A failover is over by then, and with a further operation of
    /// five seconds the request ends before a balancer gives it up after 18.
    static var valuePatience: TimeAmount { .seconds(12) }

    /// Whether an answer is confirmed.
    let isConfirmed: @Sendable (Value) -> Bool
    /// The time for which the operation is repeated from its first answer on; `nil` for all of its time.
    let patience: TimeAmount?
    /// What an unconfirmed answer counts as in the end; `nil` if the operation fails.
    let outcome: @Sendable (Value) -> Value?
    /// Whether it counts only if the server is the primary, where that can be known.
    let demandsPrimary: Bool
    /// The time from its beginning for which it may exceed its timeout; `nil` if nothing would be lost.
    let valuePatience: TimeAmount?

    /// Returns when to stop repeating, which is never later than the end of the operation.
    func limit(since begin: NIODeadline, before end: NIODeadline) -> NIODeadline {
        patience.map { min(end, begin + $0) } ?? end
    }
}

extension StandbyConfirmation<SingleUseClaim> {
    /// The confirmation of a claim.
    /// - Parameter standsAlone: Whether nothing but the claim keeps from happening twice what it guards.
    static func claim(standsAlone: Bool) -> Self {
        Self(
            isConfirmed: { $0 != .wonUnconfirmed }, patience: claimPatience,
            outcome: { _ in standsAlone ? nil : .won }, demandsPrimary: true, valuePatience: nil)
    }
}

extension StandbyConfirmation<SingleUsePut> {
    /// The confirmation of a stored value.
    static var put: Self {
        Self(
            isConfirmed: { $0 != .storedUnconfirmed }, patience: nil, outcome: { _ in .stored },
            demandsPrimary: false, valuePatience: nil)
    }
}

extension StandbyConfirmation<SingleUseTake> {
    /// The confirmation of a taken value.
    static var take: Self {
        Self(
            isConfirmed: { $0.isConfirmed }, patience: claimPatience, outcome: { $0 }, demandsPrimary: true,
            valuePatience: valuePatience)
    }
}
