// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The sheets on which users sign in to providers within an app, without a browser.
///
/// A real app asks the system or the provider's SDK for them. Here the demo answers at once, as if the user had agreed.
struct SignInSheet: Sendable {
    /// What an app receives.
    struct Credential: Sendable {
        /// The ID of the provider on the wire.
        let providerID: String
        /// The ID token, whose audience is the app itself.
        let idToken: String
        /// The nonce that the app kept. Its hash is in the ID token.
        let rawNonce: String
        /// The user's name as JSON, which only Apple sends, and only once; `nil` if there is none.
        var user: String?
        /// Apple's authorization code, with which the grant can be revoked within five minutes; `nil` if there is none.
        var authorizationCode: String?
    }

    private let makeCredential:
        @Sendable (_ provider: DemoProvider, _ user: DemoUser, _ rawNonce: String) throws -> Credential

    /// Creates the sheets.
    ///
    /// - Parameter makeCredential: Returns the credential of a user at a provider for a nonce.
    init(
        _ makeCredential:
            @escaping @Sendable (_ provider: DemoProvider, _ user: DemoUser, _ rawNonce: String) throws ->
            Credential
    ) {
        self.makeCredential = makeCredential
    }

    /// Signs a user in, for a nonce that was never used before.
    func present(_ provider: DemoProvider, as user: DemoUser) throws(AccountsWireError) -> Credential {
        do {
            return try makeCredential(provider, user, Base64URL.encode(SecureRandom.bytes(32)))
        } catch {
            throw .noCredential
        }
    }
}
