// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A provider to which a user signs in in a browser, by pages of the server.
public struct OAuthProvider: Sendable, Hashable {
    /// The ID of the provider at the server, such as `apple.com` or `oidc.acme`.
    public let providerID: String
    /// Scopes that the provider is asked for beside its own. The server allows `profile`, `email` and those in its
    /// configuration.
    public var scopes: [String] = []
    /// Parameters of the request to the provider, such as `login_hint`. The server allows those in its configuration.
    public var customParameters: [String: String] = [:]

    /// Creates a provider.
    ///
    /// - Parameter providerID: The ID of the provider at the server.
    public init(_ providerID: String) {
        self.providerID = providerID
    }

    #if canImport(CryptoKit)
        /// Lets the user sign in at the provider, and returns the credential, which works once, within five minutes.
        ///
        /// - Parameters:
        ///   - browser: What shows the pages.
        ///   - client: The client that uses the credential. It has an `appID`.
        /// - Throws: ``AccountsError``, which is ``AccountsError/Code/userCanceled`` if the user closed the browser or
        ///   refused; `CancellationError`; or an error of the browser. No user is signed in or out by any of them.
        public func credential(
            presenting browser: some SignInBrowser, for client: AccountClient
        ) async throws -> Credential {
            try await credential(presenting: browser, for: client, boundTo: SessionID())
        }
    #endif

    func credential(
        presenting browser: some SignInBrowser, for client: AccountClient, boundTo sessionID: SessionID
    ) async throws -> Credential {
        let signIn = try BrowserSignIn(self, at: client.server, boundTo: sessionID)
        guard let link = try await browser.open(signIn.page, until: signIn.link.scheme) else {
            throw AccountsError(.userCanceled)
        }
        return try signIn.credential(of: link)
    }
}
