// SPDX-License-Identifier: Apache-2.0

extension BrokerConfiguration {
    /// An API of the apps, for which the broker issues access tokens (RFC 9068): the keys under `auth.resource.<name>.`.
    public struct Resource: Sendable, Hashable {
        /// The name in the configuration, which matches `[a-z][a-z0-9]{0,31}`.
        public var name: String
        /// The resource indicator by which apps ask for a token (RFC 8707 section 2), and the `aud` of the token:
        /// `identifier`. It is an absolute URI without a fragment, and compared byte for byte.
        public var identifier: String
        /// The names of the claims that access tokens have in addition, as the ID token has them: `claims`.
        public var claims: [String] = []
        /// The lifetime of access tokens, in whole seconds within ``lifetimeBounds``: `access-token-lifetime-seconds`. The API
        /// verifies tokens itself, so one that ends early is accepted there until then.
        public var accessTokenLifetime: Duration = .seconds(900)
        /// The names of the confidential apps that may introspect access tokens for the API (RFC 7662), whichever app those
        /// were issued to: `introspected-by`.
        public var introspectedBy: [String] = []

        /// The bounds of ``accessTokenLifetime``: a minute to an hour.
        public static let lifetimeBounds = Duration.seconds(60)...Duration.seconds(3600)

        /// Creates a resource. An omitted argument has the default of its key.
        public init(name: String, identifier: String) {
            self.name = name
            self.identifier = identifier
        }
    }
}
