// SPDX-License-Identifier: Apache-2.0

/// What a sign-in, a link or a re-authentication gives.
public struct SignInResult: Sendable, Hashable {
    /// The user.
    public let user: User
    /// What the provider said.
    public let additionalUserInfo: AdditionalUserInfo
    /// The provider's tokens.
    public let providerTokens: ProviderTokens
}

/// What a provider said about the user who signed in.
public struct AdditionalUserInfo: Sendable, Hashable {
    /// The ID of the provider.
    public let providerID: String
    /// Whether the account was made by this sign-in.
    public let isNewUser: Bool
    /// The claims of the provider's ID token, which the server has verified.
    public let profile: [String: JSONValue]
}

/// The provider's tokens of a sign-in. Descriptions do not show them.
public struct ProviderTokens: Sendable, Hashable {
    private let hiddenIDToken: HiddenText?
    private let hiddenAccessToken: HiddenText?

    init(idToken: HiddenText?, accessToken: HiddenText?) {
        hiddenIDToken = idToken
        hiddenAccessToken = accessToken
    }

    /// The ID token; `nil` if there is none.
    public var idToken: String? { hiddenIDToken?.exposed }
    /// The access token, if the ID token proves that it belongs to it; `nil` otherwise.
    public var accessToken: String? { hiddenAccessToken?.exposed }
}
