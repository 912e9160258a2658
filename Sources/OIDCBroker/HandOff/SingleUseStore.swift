// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// A store of entries that may be used once: marks of logins that returned, and sealed hand-off records.
///
/// Insertion and removal must be atomic. An entry that has not expired is never evicted: a store that is full says so.
/// The store sees only hashes and ciphertext.
public protocol SingleUseStore: Sendable {
    /// Inserts an entry unless one of that key is there and not expired.
    /// - Parameters:
    ///   - key: The key of the entry.
    ///   - value: The value of the entry.
    ///   - expiry: The time from which the entry counts as absent, in seconds since 1970.
    ///   - now: The current time, in seconds since 1970.
    ///   - eventLoop: The event loop of the future.
    /// - Returns: a future of the given event loop. It fails where the store cannot be reached.
    func insertIfAbsent(
        _ key: SingleUseKey, value: [UInt8], expiry: Int64, now: Int64, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseInsertion>

    /// The same for an entry that counts for an owner: a store may hold what one person, and what all persons of one
    /// provider together, have in it to bounds of its own. No other check depends on it: a store that does not count need
    /// not have it, and one that has it may ignore either.
    /// - Parameters:
    ///   - key: The key of the entry.
    ///   - value: The value of the entry.
    ///   - owner: The owner for whom the entry is counted; `nil` if it is counted for none.
    ///   - expiry: The time from which the entry counts as absent, in seconds since 1970.
    ///   - now: The current time, in seconds since 1970.
    ///   - eventLoop: The event loop of the future.
    func insertIfAbsent(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, expiry: Int64, now: Int64,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseInsertion>

    /// Removes an entry and returns its value; `nil` if it is absent or expired. Of any number of callers at most one
    /// gets the value.
    func take(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?>

    /// Whether an entry is there and not expired. Words a page, and keeps a notification from being handed on twice;
    /// what may happen once only is never decided by it.
    func contains(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<Bool>
}

extension SingleUseStore {
    /// Inserts without counting for anybody.
    public func insertIfAbsent(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, expiry: Int64, now: Int64,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseInsertion> {
        insertIfAbsent(key, value: value, expiry: expiry, now: now, on: eventLoop)
    }
}

/// What became of an insertion.
public struct SingleUseInsertion: Sendable, Hashable {
    private enum Outcome { case inserted, present, full, tooManyOfOwner, tooManyOfProvider }
    private let outcome: Outcome

    private init(_ outcome: Outcome) { self.outcome = outcome }

    /// The entry was not there and is now.
    public static let inserted = Self(.inserted)
    /// The entry was there already.
    public static let present = Self(.present)
    /// There is no room; nothing was changed.
    public static let full = Self(.full)
    /// There is room, but not for one more of this person; nothing was changed.
    public static let tooManyOfOwner = Self(.tooManyOfOwner)
    /// There is room, but not for one more of anybody at this provider; nothing was changed.
    public static let tooManyOfProvider = Self(.tooManyOfProvider)
}
