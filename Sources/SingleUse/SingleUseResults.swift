// SPDX-License-Identifier: Apache-2.0

/// The result of claiming a key of a ``SingleUseStore``.
public struct SingleUseClaim: Sendable, Hashable {
    private enum Outcome { case won, wonUnconfirmed, lost, full, tooManyOfProvider }
    private let outcome: Outcome

    private init(_ outcome: Outcome) { self.outcome = outcome }

    /// The key is claimed by this attempt.
    public static let won = Self(.won)
    /// The key is claimed by this attempt, but fewer standbys than required have confirmed it, so a failover could let
    /// another attempt win. The same attempt may ask again, and gets ``won`` once enough standbys have confirmed it.
    public static let wonUnconfirmed = Self(.wonUnconfirmed)
    /// Another attempt claimed the key.
    public static let lost = Self(.lost)
    /// The store is full; nothing was changed.
    public static let full = Self(.full)
    /// The limit for this provider is reached; nothing was changed.
    public static let tooManyOfProvider = Self(.tooManyOfProvider)
}

/// The result of storing a value in a ``SingleUseStore``.
public struct SingleUsePut: Sendable, Hashable {
    private enum Outcome { case stored, storedUnconfirmed, full, tooManyOfOwner, tooManyOfProvider }
    private let outcome: Outcome

    private init(_ outcome: Outcome) { self.outcome = outcome }

    /// The value is stored.
    public static let stored = Self(.stored)
    /// The value is stored, but fewer standbys than required have confirmed it, so a failover could lose it. The same
    /// value may be stored again.
    public static let storedUnconfirmed = Self(.storedUnconfirmed)
    /// The store is full, or the value is too long; nothing was changed.
    public static let full = Self(.full)
    /// The limit for this user is reached; nothing was changed.
    public static let tooManyOfOwner = Self(.tooManyOfOwner)
    /// The limit for this provider is reached; nothing was changed.
    public static let tooManyOfProvider = Self(.tooManyOfProvider)
}

/// The result of taking a value from a ``SingleUseStore``.
public struct SingleUseTake: Sendable, Hashable {
    /// The value, which this attempt alone gets; `nil` if there is none for it.
    public let value: [UInt8]?
    /// Whether the key is claimed now: by this attempt if there is a value, otherwise by the one that took it. A store
    /// without room for the claim of a value says `false`; a repeated take is then not recognized as one.
    public let isClaimed: Bool
    /// Whether enough standbys have confirmed the claim; always `true` if the store waits for none. If `false`, a
    /// failover could let another attempt take the value. The same attempt may ask again, and gets the value again.
    public let isConfirmed: Bool

    private init(value: [UInt8]?, isClaimed: Bool, isConfirmed: Bool = true) {
        self.value = value
        self.isClaimed = isClaimed
        self.isConfirmed = isConfirmed
    }

    /// There is no value, and none was taken.
    public static let absent = Self(value: nil, isClaimed: false)
    /// Another attempt took the value.
    public static let taken = Self(value: nil, isClaimed: true)

    /// This attempt got the value.
    public static func value(_ value: [UInt8], isClaimed: Bool = true, isConfirmed: Bool = true) -> Self {
        Self(value: value, isClaimed: isClaimed, isConfirmed: isConfirmed)
    }
}
