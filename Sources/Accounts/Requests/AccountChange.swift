// SPDX-License-Identifier: Apache-2.0

/// A change of an account by an operator, without a session of it. What is not mentioned is kept.
public struct AccountChange: Sendable, Hashable {
    /// A change of the claims that the operator gave the account.
    public enum Claims: Sendable, Hashable {
        case keep
        case clear
        case set(CustomClaims)
    }

    /// The name.
    public var displayName = AttributeChange.keep
    /// The address of a photo.
    public var photoURL = AttributeChange.keep
    /// The claims.
    public var customClaims = Claims.keep
    /// Whether the account is disabled, so that no user can sign in to it and no session is refreshed; `nil` to keep it
    /// as it is.
    public var isDisabled: Bool?
    /// The time until which sessions have ended that began, in seconds since 1970; `nil` to end none. One that is
    /// earlier than that of the account raises nothing, and one after now counts as now.
    public var validSince: Int64?
    /// The IDs of the providers whose identities are removed. The sessions that began with them end.
    public var deletedProviders: [String] = []

    /// Creates a change of nothing.
    public init() {}
}
