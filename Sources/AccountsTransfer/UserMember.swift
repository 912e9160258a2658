// SPDX-License-Identifier: Apache-2.0

/// A member of a user, as Firebase names it.
enum UserMember: String, Sendable, CaseIterable {
    case localId, email, emailVerified, displayName, photoUrl, phoneNumber, disabled, customAttributes, createdAt
    case lastLoginAt, validSince, lastRefreshAt, providerUserInfo, mfaInfo
    /// The name that `firebase auth:export` gives ``lastLoginAt``.
    case lastSignedInAt
    /// A password, which is not kept.
    case passwordHash, salt, passwordUpdatedAt, version, rawPassword

    /// The members that belong to a password.
    static let password: [UserMember] = [.passwordHash, .salt, .passwordUpdatedAt, .version, .rawPassword]
}

/// A member of an identity of a user.
enum IdentityMember: String, Sendable, CaseIterable {
    case providerId, rawId, federatedId, email, displayName, photoUrl, screenName
}
