// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

/// One check of a configuration against what a provider, or a certificate, really is like.
///
/// Its texts are for operators and contain no secret. Those that come from a provider are made printable ASCII.
package struct LiveCheck: Sendable, Hashable {
    /// What is checked. The raw values are stable.
    package enum Subject: String, Sendable, Hashable, CaseIterable {
        /// Whether the metadata can be fetched and is that of the configured issuer.
        case discovery
        /// Whether keys are published that verify ID tokens.
        case keys
        /// A published key that is not used.
        case skippedKey = "skipped-key"
        /// Whether the response type is announced.
        case responseType = "response-type"
        /// Whether the response mode is announced.
        case responseMode = "response-mode"
        /// Whether the client authentication method is announced.
        case clientAuthentication = "client-authentication"
        /// Whether PKCE with S256 is announced.
        case codeChallenge = "pkce"
        /// Whether the algorithms of ID tokens are announced.
        case idTokenAlgorithms = "id-token-algorithms"
        /// Whether the binding of access tokens that is used is announced.
        case tokenBinding = "token-binding"
        /// Whether the scopes are announced.
        case scopes
        /// Whether authorization requests can or must be pushed (RFC 9126).
        case pushedAuthorization = "pushed-authorization"
        /// Whether `iss` is announced where the callback path is shared (RFC 9207).
        case issuerParameter = "iss-parameter"
        /// Whether there is a UserInfo endpoint, if it is asked.
        case userInfo = "user-info"
        /// Whether signed request objects are required, and the provider takes those that are sent (RFC 9101).
        case requestObject = "request-object"
        /// Whether ID tokens can be encrypted for the configured keys.
        case encryption = "id-token-encryption"
        /// Whether the required authentication contexts are announced.
        case authenticationContexts = "required-acr-values"
        /// Whether the `claims` parameter is supported.
        case claimsParameter = "claims"
        /// Whether an access token for other resources is one for UserInfo.
        case resources
        /// Whether the provider accepts a pushed request of this configuration, where it has an endpoint for those.
        case pushedRequest = "pushed-request"
        /// The difference of the two clocks.
        case clock
        /// The certificate of a server.
        case certificate
        /// The redirect URI that the provider has to know.
        case redirectURI = "redirect-uri"
        /// Whether the token endpoint accepts this client's authentication.
        case client
        /// Whether the keys of an app at its `jwks-uri` can be fetched.
        case appKeys = "app-keys"
        /// When the client secret ends, by the configuration.
        case clientSecret = "client-secret"
        /// Whether the store that replicas share can be reached.
        case store
        /// Whether the store accepts the user and the password.
        case storePassword = "store-password"
        /// The version of the store's server.
        case storeVersion = "store-version"
        /// Whether the store's server is a primary.
        case storeRole = "store-role"
        /// Whether the store's server throws entries away.
        case storePolicy = "store-policy"
        /// The difference of the clocks of the store and this machine.
        case storeClock = "store-clock"
        /// How many standbys the store's server has.
        case storeStandbys = "store-standbys"
        /// A sentinel, and what it says of the primary.
        case storeSentinel = "store-sentinel"
        /// The version of the store's tables.
        case storeSchema = "store-schema"
        /// Whether the store acknowledges only what is on the disk.
        case storeCommit = "store-commit"
        /// Whether the database of accounts can be used.
        case accounts
    }

    /// What came of a check. The raw values are stable.
    package enum Verdict: String, Sendable, Hashable, CaseIterable {
        /// Nothing needs to be changed.
        case ok
        /// Sign-ins fail, or will soon, until something is changed.
        case wrong
        /// The server could not be asked.
        case unreachable
        /// It cannot be told, and nothing speaks against it.
        case unknown
    }

    /// What is checked.
    package let subject: Subject
    /// The name of the provider in the configuration; `nil` for a check of this server itself.
    package let provider: String?
    /// What came of it.
    package let verdict: Verdict
    /// What was found.
    package let found: String
    /// What the configuration needs.
    package let wanted: String
    /// What to change; `nil` if there is nothing to.
    package let advice: String?

    /// The maximum length of a text, in bytes. A redirect URI is shown as a whole.
    private static let longestText = 2048

    /// Creates the finding of a check. Each text is restricted to 2,048 bytes.
    package init(
        _ subject: Subject, of provider: String?, _ verdict: Verdict, found: String, wanted: String,
        advice: String? = nil
    ) {
        self.subject = subject
        self.provider = provider
        self.verdict = verdict
        self.found = LogText.restricted(found, Self.longestText)
        self.wanted = LogText.restricted(wanted, Self.longestText)
        self.advice = advice.map { LogText.restricted($0, Self.longestText) }
    }
}
