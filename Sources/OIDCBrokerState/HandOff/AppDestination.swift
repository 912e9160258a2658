// SPDX-License-Identifier: Apache-2.0

package import OIDCBrokerConfiguration
package import OIDCBrokerPages
package import OpenIDConnect

/// Where the response to an app goes, and how.
package struct AppDestination: Sendable {
    /// A redirect URI that is known to be the app's.
    package let redirectURI: RedirectURI
    /// The `state` of the app, exactly as received.
    package let state: String?
    /// The response mode that the app asked for.
    package let responseMode: ResponseMode
    /// The `iss` (RFC 9207).
    package let issuer: String
    /// The language that the app asked for.
    package let language: Language?

    /// Creates a destination.
    package init(
        redirectURI: RedirectURI, state: String?, responseMode: ResponseMode, issuer: String, language: Language?
    ) {
        self.redirectURI = redirectURI
        self.state = state
        self.responseMode = responseMode
        self.issuer = issuer
        self.language = language
    }
}
