// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// A store of single-use entries: marks of logins with a callback, and sealed hand-off records.
///
/// Insertion and removal must be atomic. An entry that has not expired is never evicted; a full store reports that it
/// is full. The store sees only hashes and ciphertext.
public protocol SingleUseStore: Sendable {
    /// Inserts an entry unless there is one for this key that has not expired.
    /// - Parameters:
    ///   - key: The key of the entry.
    ///   - value: The value of the entry.
    ///   - expiry: The time from which the entry counts as absent, in seconds since 1970.
    ///   - now: The current time, in seconds since 1970.
    ///   - eventLoop: The event loop of the future.
    /// - Returns: A future of the given event loop. It fails if the store is unavailable.
    func insertIfAbsent(
        _ key: SingleUseKey, value: [UInt8], expiry: Int64, now: Int64, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseInsertion>

    /// Inserts an entry that counts for an owner. A store may limit the entries of one user, and of all users of one
    /// provider. No other check depends on this, so a store without such limits need not implement it and may ignore
    /// the owner.
    /// - Parameters:
    ///   - key: The key of the entry.
    ///   - value: The value of the entry.
    ///   - owner: The owner of the entry; `nil` if it counts for none.
    ///   - expiry: The time from which the entry counts as absent, in seconds since 1970.
    ///   - now: The current time, in seconds since 1970.
    ///   - eventLoop: The event loop of the future.
    func insertIfAbsent(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, expiry: Int64, now: Int64,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseInsertion>

    /// Removes an entry and returns its value; `nil` if it is absent or expired. Of any number of concurrent callers,
    /// at most one gets the value.
    func take(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?>

    /// Returns the value of an entry without removing it; `nil` if it is absent or expired. This determines the contents of
    /// a page. It never decides whether something may happen that must happen only once.
    func read(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?>

    /// Returns whether there is an entry that has not expired. This determines the words of a page, and prevents a
    /// notification from being delivered twice. It never decides whether something may happen that must happen only
    /// once.
    func contains(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<Bool>
}

extension SingleUseStore {
    /// Inserts an entry without counting it for an owner.
    public func insertIfAbsent(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, expiry: Int64, now: Int64,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseInsertion> {
        insertIfAbsent(key, value: value, expiry: expiry, now: now, on: eventLoop)
    }
}

/// The result of an insertion.
public struct SingleUseInsertion: Sendable, Hashable {
    private enum Outcome { case inserted, present, full, tooManyOfOwner, tooManyOfProvider }
    private let outcome: Outcome

    private init(_ outcome: Outcome) { self.outcome = outcome }

    /// The entry was absent and has been inserted.
    public static let inserted = Self(.inserted)
    /// The entry was present already.
    public static let present = Self(.present)
    /// The store is full; nothing was changed.
    public static let full = Self(.full)
    /// The limit for this user is reached; nothing was changed.
    public static let tooManyOfOwner = Self(.tooManyOfOwner)
    /// The limit for this provider is reached; nothing was changed.
    public static let tooManyOfProvider = Self(.tooManyOfProvider)
}
