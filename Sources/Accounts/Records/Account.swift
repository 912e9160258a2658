// SPDX-License-Identifier: Apache-2.0

/// A stored user.
public struct Account: Sendable, Hashable {
    /// The identifier.
    public let id: AccountID
    /// The time of the first sign-in, in seconds since 1970.
    public let createdAt: Int64
    /// The time of the last sign-in, in seconds since 1970.
    public var lastSignInAt: Int64
    /// The time at which the account got tokens, in seconds since 1970: at a sign-in or a link, or at the first refresh of a
    /// day. Later refreshes of a day are not written. `nil` if an imported account got none.
    public var lastRefreshAt: Int64?
    /// The name that is shown; `nil` if there is none. At most ``AccountLimits/displayNameScalars`` scalars.
    public var displayName: String?
    /// The address of a photo; `nil` if there is none. At most ``AccountLimits/photoURLBytes`` bytes.
    public var photoURL: String?
    /// The email that is shown; `nil` if there is none.
    public var email: EmailAddress?
    /// Whether the email is kept from other accounts, as the policy ``EmailPolicy/unique`` does.
    public var ownsEmail: Bool
    /// Whether an identity of the account has proved the email, or another system had before the account was imported.
    public var isEmailVerified: Bool
    /// Whether the account cannot be used.
    public var isDisabled: Bool
    /// The time before which no session may have begun, in seconds since 1970. It only grows.
    public private(set) var validSince: Int64
    /// Whether an identity may be linked to the account by its email alone. An account from which an identity was
    /// removed is not found by its email any more, so that what was removed does not come back by itself.
    public var isFoundByEmail: Bool
    /// Claims that the operator gave the account; `nil` if there are none.
    public var customClaims: CustomClaims?
    /// What was imported with the account and has no other place; `nil` for an account that was made here.
    public var imported: ImportedRecord?

    /// Creates an account.
    /// - Parameters:
    ///   - id: The identifier.
    ///   - createdAt: The time of the first sign-in, in seconds since 1970.
    ///   - validSince: The time before which no session may have begun, in seconds since 1970; by default the time of the
    ///     first sign-in.
    public init(id: AccountID, createdAt: Int64, validSince: Int64? = nil) {
        self.id = id
        self.createdAt = createdAt
        lastSignInAt = createdAt
        ownsEmail = false
        isEmailVerified = false
        isDisabled = false
        isFoundByEmail = true
        self.validSince = validSince ?? createdAt
    }

    /// The key under which no other account has the email; `nil` if the email is not kept from others.
    public var emailKey: String? { ownsEmail ? email?.key : nil }

    /// Raises ``validSince``. An earlier time changes nothing.
    public mutating func end(sessionsBefore time: Int64) {
        validSince = max(validSince, time)
    }
}
