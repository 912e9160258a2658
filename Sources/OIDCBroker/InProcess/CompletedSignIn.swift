// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerState
public import OpenIDConnect
public import OpenIDRelyingParty

/// A verified sign-in, as a ``SignInHandler`` gets it.
public struct CompletedSignIn: Sendable {
    /// The name of the app in the configuration.
    public let app: String
    /// The provider's ID.
    public let provider: String
    /// The user: the `sub` that other apps of the broker get for the same user. It is the key of an account; an
    /// email is not.
    public let subject: String
    /// The claims that an ID token of the broker would have.
    public let claims: Claims
    /// The sign-in at the provider, with its tokens; `nil` unless the app has the key `upstream-tokens`.
    public let upstream: VerifiedSignIn?
    /// The name that came beside the sign-in and that no signature covers; `nil` if there is none.
    public let unverifiedName: UnverifiedPersonName?
    /// The path on this origin to which the user wanted to go.
    public let destination: String
    /// The value of ``LoginRequest/state``.
    public let state: String?
    /// The identifier of the account that the sign-in entered, which the claim `account` repeats; `nil` unless the app
    /// has the key `accounts`. Where no account could be entered, the handler is not called, and the user sees a page.
    public let account: String?
}

/// A name that no signature covers. Show it, and let the user change it.
public struct UnverifiedPersonName: Sendable, Hashable {
    /// The given name; `nil` if there is none.
    public let givenName: String?
    /// The family name; `nil` if there is none.
    public let familyName: String?

    init(_ name: UnverifiedName) {
        let claims = Claims(name.object)
        givenName = claims.string("given_name")
        familyName = claims.string("family_name")
    }
}
