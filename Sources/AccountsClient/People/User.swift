// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The signed-in user, as the server last described the account.
///
/// It is a copy: ``AccountClient/reload()`` gets a new one.
public struct User: Sendable, Hashable, Codable {
    /// The identifier of the account, which never changes.
    public let uid: String
    /// The name; `nil` if there is none.
    public let displayName: String?
    /// The email; `nil` if there is none.
    public let email: String?
    /// Whether a provider has verified ``email``.
    public let isEmailVerified: Bool
    /// The address of a photo; `nil` if there is none.
    public let photoURL: URL?
    /// What each linked provider says about the user, the first linked first.
    public let providerData: [ProviderUserInfo]
    /// When the account was made; `nil` until the server was asked.
    public let creationDate: Date?
    /// When the user last signed in; `nil` until the server was asked.
    public let lastSignInDate: Date?

    /// Whether both are the same, each text byte for byte: a server may send texts whose comparison by Unicode's canonical
    /// equivalence takes very long.
    public static func == (left: User, right: User) -> Bool {
        left.texts.haveSameBytes(as: right.texts) && left.isEmailVerified == right.isEmailVerified
            && left.providerData == right.providerData && left.creationDate == right.creationDate
            && left.lastSignInDate == right.lastSignInDate
    }

    private var texts: [String?] { [uid, displayName, email, photoURL?.absoluteString] }

    /// The same user with another provider, which was just linked.
    func linked(to provider: ProviderUserInfo) -> User {
        User(
            uid: uid, displayName: displayName ?? provider.displayName, email: email,
            isEmailVerified: isEmailVerified, photoURL: photoURL ?? provider.photoURL,
            providerData: providerData.filter { !$0.providerID.utf8.elementsEqual(provider.providerID.utf8) }
                + [provider], creationDate: creationDate, lastSignInDate: lastSignInDate)
    }
}

extension [String?] {
    /// Whether both have the same texts, byte for byte.
    func haveSameBytes(as other: [String?]) -> Bool {
        elementsEqual(other) { left, right in
            guard let left, let right else { return left == nil && right == nil }
            return left.utf8.elementsEqual(right.utf8)
        }
    }
}
