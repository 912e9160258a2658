// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
public import OpenIDRelyingParty
package import SignInWithApple

extension BrokerConfiguration {
    /// The default scopes of a provider of kind `apple`. `openid` is always added.
    public static let defaultAppleScopes = ["name", "email"]

    /// The configuration of Sign in with Apple: a Services ID and the private key that the developer team created for
    /// it.
    public struct AppleProvider: Sendable, Hashable {
        /// The configuration of the provider. Only members with a key for kind `apple` may be changed: the issuer, the
        /// endpoints and the client authentication are Apple's own.
        public var configuration: ProviderConfiguration
        /// The id of the developer team, 10 characters; `nil` if native credentials are only verified: `team-id`.
        public var teamID: String?
        /// The id of ``privateKey`` at Apple, 10 characters; `nil` if ``teamID`` is: `key-id`.
        public var keyID: String?
        /// The text of Apple's `.p8` file; `nil` if ``teamID`` is: `private-key`.
        public var privateKey: Secret?
        /// The file named by `key-id-file`, if ``keyID`` was read from one. The standalone server watches it for
        /// changes.
        public var keyIDFile: String?
        /// The file named by `private-key-file`, if ``privateKey`` was read from one. The standalone server watches it
        /// for changes.
        public var privateKeyFile: String?
        /// The replacement of Apple in a test. No key of the configuration sets it.
        package private(set) var standIn: AppleStandIn?

        /// Creates the configuration of Apple. Everything else has its default until it is set.
        ///
        /// - Parameter clientID: The Services ID, which is empty if only native credentials are accepted.
        public init(clientID: String) {
            configuration = ProviderConfiguration(
                issuer: AppleIssuer.issuer, clientID: clientID, clientSecret: nil, redirectURI: "")
            configuration.clientAuthentication = .clientSecretPost
            configuration.profile = .apple
            configuration.scopes = BrokerConfiguration.defaultAppleScopes
            configuration.responseType = AppleAuthorization.defaultResponseType
            configuration.responseMode = .formPost
        }

        /// Replaces Apple.
        package mutating func replace(by standIn: AppleStandIn) {
            self.standIn = standIn
            configuration.issuer = standIn.issuer
            configuration.certificateAuthorities = standIn.certificateAuthorities
            configuration.insecureLoopbackIssuer = standIn.issuer.hasPrefix("http:")
        }

        /// The configuration before anything is set in it, of Apple or of its replacement.
        package var unchanged: ProviderConfiguration {
            var unchanged = Self(clientID: "")
            if let standIn { unchanged.replace(by: standIn) }
            return unchanged.configuration
        }

        /// The requested scopes, which include `openid` even if the configured ones do not.
        var askedScopes: [String] {
            configuration.scopes.contains("openid") ? configuration.scopes : ["openid"] + configuration.scopes
        }

        /// Returns the key; `nil` if none is configured.
        /// - Throws: The error in the key.
        package func key() throws(AppleKeyError) -> AppleKey? {
            guard let teamID, let keyID, let privateKey else { return nil }
            return try AppleKey(teamID: teamID, keyID: keyID, privateKey: privateKey)
        }

        /// Returns this configuration with the key of another one, or without a key.
        func withKey(of other: Self?) -> Self {
            var copy = self
            copy.teamID = other?.teamID
            copy.keyID = other?.keyID
            copy.privateKey = other?.privateKey
            copy.keyIDFile = other?.keyIDFile
            copy.privateKeyFile = other?.privateKeyFile
            return copy
        }
    }
}

extension BrokerConfiguration.Provider {
    /// Returns whether two providers differ in nothing but Apple's key and what is only shown to operators. The relying
    /// party then need not be created anew.
    package func isSame(but other: Self) -> Bool {
        // A provider with a key and one without are different: a key can be replaced but not removed.
        guard (apple?.privateKey == nil) == (other.apple?.privateKey == nil) else { return false }
        var own = self
        own.apple = apple?.withKey(of: other.apple)
        own.clientSecretExpires = other.clientSecretExpires
        own.loginLifetime = other.loginLifetime
        return own == other
    }
}
