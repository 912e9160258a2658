// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// A store of what may be used only once: claims, such as that of a login whose callback arrived, and sealed values,
/// such as a hand-off record.
///
/// Several replicas of the broker may share one. The store sees only hashes and ciphertext.
///
/// The rules, which `SingleUseStoreConformance` in `OIDCBrokerTesting` examines:
///
/// - Each operation is atomic.
/// - Of all attempts to claim a key, at most one wins within the lifetime of the claim. A claim is never released
///   before that.
/// - Operations are idempotent for an attempt: one that asks again gets the same answer, so an operation whose answer
///   was lost can safely be sent again. A store that loses no answers, such as one in memory, need not remember
///   attempts.
/// - A live entry is never evicted. A store without room reports that it is full, and changes nothing. The only exception
///   is an entry with a ``SingleUseOwner/browser``, which one of the same browser and app may replace.
/// - An operation whose result is not known fails. A store never reports as absent what it could not look up.
/// - Lifetimes are measured by the clock of the store and not by that of a replica.
/// - The future belongs to the given event loop.
///
/// The owner of an entry is for stores that limit the entries of one user and of one provider's users. No other check
/// depends on it, so a store may ignore it.
public protocol SingleUseStore: Sendable {
    /// Claims a key.
    /// - Parameters:
    ///   - key: The key.
    ///   - attempt: Whose claim it is.
    ///   - owner: The owner of the claim; `nil` if it counts for none.
    ///   - lifetime: The time for which no other attempt gets the claim, more than zero.
    ///   - eventLoop: The event loop of the future.
    /// - Returns: A future that fails if it is not known whether the key is claimed.
    func claim(
        _ key: SingleUseKey, attempt: SingleUseAttempt, owner: SingleUseOwner?, lifetime: Duration,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseClaim>

    /// Stores a value, replacing an earlier one. It does not claim the key. Storing the same value again is harmless.
    /// - Parameters:
    ///   - key: The key.
    ///   - value: The value, at most ``SingleUseKey/longestValue`` bytes.
    ///   - owner: The owner of the value; `nil` if it counts for none.
    ///   - lifetime: The time for which the value is stored, more than zero.
    ///   - eventLoop: The event loop of the future.
    /// - Returns: A future that fails if it is not known whether the value is stored.
    func put(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUsePut>

    /// Claims a key and returns its value, in one step. Where there is no value, nothing is claimed.
    ///
    /// The same attempt that asks again, since the answer was lost, gets the value again. No other attempt gets it: a
    /// value whose taker never had an answer is lost. The store removes the value once an answer has arrived, and the
    /// claim then distinguishes a repeated take from one of an unknown key.
    /// - Parameters:
    ///   - key: The key.
    ///   - attempt: Whose claim it is.
    ///   - claimLifetime: The minimum lifetime of the claim, which lasts at least as long as the value would have.
    ///   - eventLoop: The event loop of the future.
    /// - Returns: A future that fails if it is not known who took the value.
    func take(
        _ key: SingleUseKey, attempt: SingleUseAttempt, claimLifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseTake>

    /// Returns a value without claiming its key; `nil` if there is none. It never decides whether something may happen
    /// that must happen only once.
    func read(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?>

    /// Removes a value if it is the given one, so that a later one is kept.
    func remove(_ key: SingleUseKey, ifEqual value: [UInt8], on eventLoop: any EventLoop) -> EventLoopFuture<Void>

    /// Returns whether a key is claimed. It never decides whether something may happen that must happen only once.
    func isClaimed(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<Bool>
}
