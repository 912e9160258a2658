// SPDX-License-Identifier: Apache-2.0

/// What a verified sign-in says about a person. Only a verified ID token, and a UserInfo response of the same subject,
/// may be its source.
public struct VerifiedIdentity: Sendable, Hashable {
    /// The issuer and the subject.
    public let key: IdentityKey
    /// The ID of the provider as clients see it.
    public var providerID: String
    /// The address; `nil` if there is none or it is not one that ``EmailAddress/init(_:)`` accepts.
    public var email: EmailAddress?
    /// Whether the token that carried the address said that it is verified.
    public var isEmailProved: Bool
    /// Whether the address is a relay address of the provider.
    public var isPrivateRelay: Bool
    /// The name; `nil` if there is none.
    public var displayName: String?
    /// The address of a photo; `nil` if there is none.
    public var photoURL: String?

    /// Creates an identity. An address that is absent is not proved either.
    public init(
        _ key: IdentityKey, providerID: String, email: EmailAddress? = nil, isEmailProved: Bool = false,
        isPrivateRelay: Bool = false, displayName: String? = nil, photoURL: String? = nil
    ) {
        self.key = key
        self.providerID = providerID
        self.email = email
        self.isEmailProved = isEmailProved && email != nil
        self.isPrivateRelay = isPrivateRelay
        self.displayName = displayName
        self.photoURL = photoURL
    }

    /// The address if it is proved; otherwise `nil`.
    var provedEmail: EmailAddress? { isEmailProved ? email : nil }
}
