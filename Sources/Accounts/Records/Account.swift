// SPDX-License-Identifier: Apache-2.0

/// A person who is kept.
public struct Account: Sendable, Hashable {
    /// The identifier.
    public let id: AccountID
    /// The time of the first sign-in, in seconds since 1970.
    public let createdAt: Int64
    /// The time of the last sign-in, in seconds since 1970.
    public var lastSignInAt: Int64
    /// The time of the first refresh of a session on the last day on which there was one, in seconds since 1970; `nil` if
    /// there was none. Later ones of the day are not written.
    public var lastRefreshAt: Int64?
    /// The name that is shown; `nil` if there is none. At most ``AccountLimits/displayNameScalars`` scalars.
    public var displayName: String?
    /// The address of a photo; `nil` if there is none. At most ``AccountLimits/photoURLBytes`` bytes.
    public var photoURL: String?
    /// The address that is shown; `nil` if there is none.
    public var email: EmailAddress?
    /// Whether the address is kept from other accounts, as the policy ``EmailPolicy/unique`` does.
    public var ownsEmail: Bool
    /// Whether an identity of the account has proved the address.
    public var isEmailVerified: Bool
    /// Whether the account cannot be used.
    public var isDisabled: Bool
    /// The time before which no session may have begun, in seconds since 1970. It only grows.
    public private(set) var validSince: Int64
    /// Claims that the operator gave the account, as JSON text; `nil` if there are none. At most
    /// ``AccountLimits/customClaimsBytes`` bytes.
    public var customClaims: String?

    /// Creates an account.
    public init(id: AccountID, createdAt: Int64) {
        self.id = id
        self.createdAt = createdAt
        lastSignInAt = createdAt
        ownsEmail = false
        isEmailVerified = false
        isDisabled = false
        validSince = createdAt
    }

    /// The key under which no other account has the address; `nil` if the address is not kept from others.
    public var emailKey: String? { ownsEmail ? email?.key : nil }

    /// Raises ``validSince``. An earlier time changes nothing.
    public mutating func end(sessionsBefore time: Int64) {
        validSince = max(validSince, time)
    }
}
