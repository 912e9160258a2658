// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
public import OpenIDRelyingParty
import SignInWithApple

extension BrokerConfiguration {
    /// The default scopes of a provider of kind apple; `openid` goes without saying.
    public static let defaultAppleScopes = ["name", "email"]

    /// Sign in with Apple: a Services ID, and the key that the team made for it.
    public struct AppleProvider: Sendable, Hashable {
        /// What is asked of Apple, and how. Only what has a key for kind `apple` may be changed: issuer, endpoints and
        /// the way in which the client proves itself are Apple's own.
        public var configuration: ProviderConfiguration
        /// `team-id`: Apple's developer team, 10 characters; `nil` where native credentials are only verified.
        public var teamID: String?
        /// `key-id`: the id of ``privateKey`` at Apple, 10 characters; `nil` as ``teamID``.
        public var keyID: String?
        /// `private-key`: the text of Apple's `.p8` file; `nil` as ``teamID``.
        public var privateKey: Secret?
        /// The file that `key-id-file` names, where ``keyID`` was read from one: a server looks at it again and again.
        public var keyIDFile: String?
        /// The file that `private-key-file` names, where ``privateKey`` was read from one: a server looks at it again
        /// and again.
        public var privateKeyFile: String?
        /// What stands in Apple's place in a test; no key of the configuration sets it.
        package private(set) var standIn: AppleStandIn?

        /// Apple; everything else has its default until it is set.
        ///
        /// - Parameter clientID: the Services ID. Empty where only native credentials are taken.
        public init(clientID: String) {
            configuration = ProviderConfiguration(
                issuer: AppleIssuer.issuer, clientID: clientID, clientSecret: nil, redirectURI: "")
            configuration.clientAuthentication = .clientSecretPost
            configuration.profile = .apple
            configuration.scopes = BrokerConfiguration.defaultAppleScopes
            configuration.responseType = AppleAuthorization.defaultResponseType
            configuration.responseMode = .formPost
        }

        /// Puts something else in Apple's place.
        mutating func replace(by standIn: AppleStandIn) {
            self.standIn = standIn
            configuration.issuer = standIn.issuer
            configuration.certificateAuthorities = standIn.certificateAuthorities
            configuration.insecureLoopbackIssuer = standIn.issuer.hasPrefix("http:")
        }

        /// What is Apple's own, or the stand-in's.
        var unchanged: ProviderConfiguration {
            var unchanged = Self(clientID: "")
            if let standIn { unchanged.replace(by: standIn) }
            return unchanged.configuration
        }

        /// What is asked for: with `openid`, which the scopes need not name.
        var askedScopes: [String] {
            configuration.scopes.contains("openid") ? configuration.scopes : ["openid"] + configuration.scopes
        }

        /// The key; `nil` if none is configured.
        /// - Throws: what is wrong with it.
        func key() throws(AppleKeyError) -> AppleKey? {
            guard let teamID, let keyID, let privateKey else { return nil }
            return try AppleKey(teamID: teamID, keyID: keyID, privateKey: privateKey)
        }

        /// The same with the key of another, or with none.
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
    /// Whether this is that provider, with Apple's key possibly replaced by another: what asks with the key need not be
    /// made anew.
    func isSame(but other: Self) -> Bool {
        // With and without a key it is not the same: a key is replaced, never taken away.
        guard (apple?.privateKey == nil) == (other.apple?.privateKey == nil) else { return false }
        var own = self
        own.apple = apple?.withKey(of: other.apple)
        return own == other
    }
}
