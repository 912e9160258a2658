// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What a linked provider says about the user.
public struct ProviderUserInfo: Sendable, Hashable, Codable {
    /// The ID of the provider, such as `apple.com`.
    public let providerID: String
    /// The identifier of the user at the provider, which is not the ``User/uid`` of the account.
    public let uid: String
    /// The name at the provider; `nil` if there is none.
    public let displayName: String?
    /// The email at the provider; `nil` if there is none.
    public let email: String?
    /// The address of a photo at the provider; `nil` if there is none.
    public let photoURL: URL?

    /// Whether both are the same, each text byte for byte.
    public static func == (left: ProviderUserInfo, right: ProviderUserInfo) -> Bool {
        left.texts.haveSameBytes(as: right.texts)
    }

    private var texts: [String?] { [providerID, uid, displayName, email, photoURL?.absoluteString] }
}
