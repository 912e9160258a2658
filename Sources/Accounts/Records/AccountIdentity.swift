// SPDX-License-Identifier: Apache-2.0

/// An identity of a user at a provider, which belongs to one account.
public struct AccountIdentity: Sendable, Hashable {
    /// The account.
    public let account: AccountID
    /// What the last sign-in with it said.
    public internal(set) var verified: VerifiedIdentity
    /// The time at which the identity was linked, in seconds since 1970.
    public let createdAt: Int64
    /// The time of the last sign-in with it, in seconds since 1970.
    public var lastUsedAt: Int64
    /// The access token of the provider that was handed out last; `nil` if there is none.
    public var accessToken: HandedOutToken?
    /// The time at which the user's grant was revoked at the provider; `nil` if there was no revocation since the last
    /// sign-in.
    public var revokedAt: Int64?

    /// An access token of a provider that was handed out, by which a client may have it revoked.
    public struct HandedOutToken: Sendable, Hashable {
        /// The SHA-256 hash of the token.
        public let hash: [UInt8]
        /// The time from which the token is not valid, in seconds since 1970.
        public let expiry: Int64

        /// Creates the record of a token from its SHA-256 hash and the time from which it is not valid, in seconds since
        /// 1970.
        public init(hash: [UInt8], expiry: Int64) {
            self.hash = hash
            self.expiry = expiry
        }
    }

    /// Creates an identity of an account from a verified sign-in.
    /// - Parameters:
    ///   - verified: What was verified.
    ///   - account: The account.
    ///   - time: The time at which it is linked, in seconds since 1970.
    ///   - accessToken: The access token of the provider that is handed out; `nil` if there is none.
    public init(
        _ verified: VerifiedIdentity, of account: AccountID, at time: Int64, accessToken: HandedOutToken? = nil
    ) {
        self.verified = verified
        self.verified.importedKey = nil
        self.verified.providerSession = nil
        self.account = account
        self.accessToken = accessToken
        createdAt = time
        lastUsedAt = time
    }

    /// The issuer and the subject.
    public var key: IdentityKey { verified.key }

    /// The same identity under another account or another key.
    func replacing(account: AccountID? = nil, key: IdentityKey? = nil) -> AccountIdentity {
        var identity = AccountIdentity(
            VerifiedIdentity(
                key ?? self.key, providerID: verified.providerID, email: verified.email,
                isEmailProved: verified.isEmailProved, isPrivateRelay: verified.isPrivateRelay,
                displayName: verified.displayName, photoURL: verified.photoURL),
            of: account ?? self.account, at: createdAt, accessToken: accessToken)
        identity.lastUsedAt = lastUsedAt
        identity.revokedAt = revokedAt
        return identity
    }

    /// Writes what a further sign-in says. What it does not mention is kept: a name, a photo, and an email with its
    /// proof, since a sign-in without the scope `email` does not take the email away. An access token that was handed
    /// out before is kept too if none is handed out now.
    mutating func update(_ new: VerifiedIdentity, accessToken token: HandedOutToken?, at time: Int64) {
        verified = VerifiedIdentity(
            key, providerID: new.providerID, email: new.email ?? verified.email,
            isEmailProved: new.email == nil ? verified.isEmailProved : new.isEmailProved,
            isPrivateRelay: new.email == nil ? verified.isPrivateRelay : new.isPrivateRelay,
            displayName: new.displayName ?? verified.displayName, photoURL: new.photoURL ?? verified.photoURL)
        lastUsedAt = max(lastUsedAt, time)
        accessToken = token ?? accessToken
        revokedAt = nil
    }
}
