// SPDX-License-Identifier: Apache-2.0

/// An identity of a person at a provider, which belongs to one account.
public struct AccountIdentity: Sendable, Hashable {
    /// The issuer and the subject.
    public let key: IdentityKey
    /// The account.
    public let account: AccountID
    /// The ID of the provider as clients see it. A sign-in after the provider was renamed writes the new one.
    public var providerID: String
    /// The address that the provider gave; `nil` if it gave none.
    public var email: EmailAddress?
    /// Whether the verified token that carried the address said that it is verified.
    public var isEmailProved: Bool
    /// Whether the address is a relay address of the provider.
    public var isPrivateRelay: Bool
    /// The name that the provider gave; `nil` if it gave none.
    public var displayName: String?
    /// The photo that the provider gave; `nil` if it gave none.
    public var photoURL: String?
    /// The time at which the identity was linked, in seconds since 1970.
    public let createdAt: Int64
    /// The time of the last sign-in with it, in seconds since 1970.
    public var lastUsedAt: Int64
    /// The access token of the provider that was handed out last; `nil` if there is none.
    public var accessToken: HandedOutToken?
    /// The time at which the person's grant was revoked at the provider; `nil` if there was no revocation since the last
    /// sign-in.
    public var revokedAt: Int64?

    /// An access token of a provider that was handed out, by which a client may have it revoked.
    public struct HandedOutToken: Sendable, Hashable {
        /// The SHA-256 hash of the token.
        public let hash: [UInt8]
        /// The time from which the token is not valid, in seconds since 1970.
        public let expiry: Int64

        public init(hash: [UInt8], expiry: Int64) {
            self.hash = hash
            self.expiry = expiry
        }
    }

    /// Creates an identity of an account from a verified sign-in.
    public init(_ verified: VerifiedIdentity, of account: AccountID, at time: Int64) {
        key = verified.key
        self.account = account
        providerID = verified.providerID
        email = verified.email
        isEmailProved = verified.isEmailProved
        isPrivateRelay = verified.isPrivateRelay
        displayName = verified.displayName
        photoURL = verified.photoURL
        createdAt = time
        lastUsedAt = time
    }

    /// Writes what a further sign-in says.
    mutating func update(_ verified: VerifiedIdentity, at time: Int64) {
        providerID = verified.providerID
        email = verified.email
        isEmailProved = verified.isEmailProved
        isPrivateRelay = verified.isPrivateRelay
        displayName = verified.displayName ?? displayName
        photoURL = verified.photoURL ?? photoURL
        lastUsedAt = max(lastUsedAt, time)
        revokedAt = nil
    }

    /// The address if it is proved; otherwise `nil`.
    public var provedEmail: EmailAddress? { isEmailProved ? email : nil }
}
