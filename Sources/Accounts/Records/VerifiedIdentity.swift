// SPDX-License-Identifier: Apache-2.0

/// What a verified sign-in says about a user. Only a verified ID token, and a UserInfo response of the same subject,
/// may be its source.
public struct VerifiedIdentity: Sendable, Hashable {
    /// The issuer and the subject.
    public let key: IdentityKey
    /// The ID of the provider as clients see it.
    public internal(set) var providerID: String
    /// The email; `nil` if there is none or it is not one that ``EmailAddress/init(_:)`` accepts.
    public let email: EmailAddress?
    /// Whether the token that carried the email said that it is verified.
    public let isEmailProved: Bool
    /// Whether the email is a relay address of the provider.
    public let isPrivateRelay: Bool
    /// The name; `nil` if there is none.
    public internal(set) var displayName: String?
    /// The address of a photo; `nil` if there is none.
    public internal(set) var photoURL: String?
    /// The key under which an identity of the same user may have been imported. The first sign-in shows ``key``; `nil`
    /// if there is none. It is not stored.
    package var importedKey: IdentityKey?
    /// The hash of the provider's session in which the user signed in, which is kept with the session that begins; `nil`
    /// if the provider named none. It is not stored with the identity.
    package var providerSession: [UInt8]?

    /// Creates an identity. An email that is absent is not proved either. A name that ``Account/isDisplayName(_:)``
    /// refuses, and a photo that ``Account/isPhotoURL(_:)`` refuses, are treated as absent.
    public init(
        _ key: IdentityKey, providerID: String, email: EmailAddress? = nil, isEmailProved: Bool = false,
        isPrivateRelay: Bool = false, displayName: String? = nil, photoURL: String? = nil
    ) {
        self.key = key
        self.providerID = providerID
        self.email = email
        self.isEmailProved = isEmailProved && email != nil
        self.isPrivateRelay = isPrivateRelay
        self.displayName = displayName.flatMap { Account.isDisplayName($0) ? $0 : nil }
        self.photoURL = photoURL.flatMap { Account.isPhotoURL($0) ? $0 : nil }
    }

    /// The email if it is proved; otherwise `nil`.
    public var provedEmail: EmailAddress? { isEmailProved ? email : nil }
}
