// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// A store of what may be used once: claims, as of a login whose callback came, and sealed values, as a hand-off record.
///
/// Several replicas of the broker may share one. The store sees only hashes and ciphertext.
///
/// The rules, which `SingleUseStoreConformance` in `OIDCBrokerTesting` examines:
///
/// - Each operation is atomic.
/// - Of all attempts to claim a key at most one wins within the lifetime of the claim. Nobody gives a claim back.
/// - An attempt that asks again gets the same answer as before, so a request whose answer was lost is safely sent again.
///   A store that loses no answers, as one in memory, need not remember attempts.
/// - An entry that lives is never evicted. A store that has no room says that it is full, and changes nothing.
/// - A store that does not know fails. It never takes "not known" for "not there".
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
    ///   - lifetime: The time for which nobody else gets the claim, more than zero.
    ///   - eventLoop: The event loop of the future.
    /// - Returns: A future that fails if it is not known whether the key is claimed.
    func claim(
        _ key: SingleUseKey, attempt: SingleUseAttempt, owner: SingleUseOwner?, lifetime: Duration,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseClaim>

    /// Stores a value, in place of one that is there. It does not claim the key. The same again is harmless.
    /// - Parameters:
    ///   - key: The key.
    ///   - value: The value, at most ``SingleUseKey/longestValue`` bytes.
    ///   - owner: The owner of the value; `nil` if it counts for none.
    ///   - lifetime: The time for which the value is there, more than zero.
    ///   - eventLoop: The event loop of the future.
    /// - Returns: A future that fails if it is not known whether the value is stored.
    func put(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUsePut>

    /// Claims a key and returns its value, in one step. Where there is no value, nothing is claimed.
    ///
    /// The value is gone once its taker has heard of it, and the claim is how a repeated take is told from one of a key that
    /// never was. Until then it is best left there for ``read(_:on:)``: the broker gives back what a taker never heard of, and
    /// where it is gone, only the same process can go on as that taker.
    /// - Parameters:
    ///   - key: The key.
    ///   - attempt: Whose claim it is.
    ///   - claimLifetime: The lifetime of the claim. It lives no shorter than the value would have.
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
