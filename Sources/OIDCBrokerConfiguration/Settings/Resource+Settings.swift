// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty

/// The keys under `auth.resource.<name>.`.
extension BrokerConfiguration.Resource: SettingSection {
    package static let settings: [Setting<BrokerConfiguration.Resource>] = [
        Setting(
            "identifier", \.identifier, .text,
            "the URI by which apps ask for access tokens (`resource`, RFC 8707), and the `aud` of these",
            default: "required",
            bounds: SettingBounds(identifierTakes) {
                ProviderConfiguration.isAbsoluteURI($0) && $0.utf8.count <= longestIdentifier
            }),
        Setting(
            "claims", \.claims, .list,
            "the claims of the ID token that access tokens have too: 2 KB in all",
            bounds: SettingBounds(
                "at most \(maximumClaims) names of claims, each given once, without those that the token has in any case and the "
                    + "ID token's own"
            ) {
                $0.count <= maximumClaims && Set($0).count == $0.count
                    && $0.allSatisfy { ConfigurationSyntax.isParameterName($0) && !ownClaims.contains($0) }
            }),
        Setting(
            "access-token-lifetime-seconds", \.accessTokenLifetime, .seconds,
            "how long access tokens are valid; the API accepts a revoked one until then",
            bounds: .range(lifetimeBounds)),
        Setting(
            "introspected-by", \.introspectedBy, .list,
            "the apps that may ask at `/introspect` about access tokens for the API, besides the app of the token: usually one "
                + "that is the API itself",
            bounds: SettingBounds("names of confidential apps, at most 32, each given once") {
                $0.count <= 32 && Set($0).count == $0.count
            }),
    ]

    /// The maximum length of ``identifier``, in bytes.
    package static let longestIdentifier = 512
    /// The maximum number of ``claims``.
    private static let maximumClaims = 32

    private static let identifierTakes =
        "an absolute URI of at most \(longestIdentifier) bytes without a fragment, no other resource's, no app's client id, and "
        + "not the issuer"

    /// The claims that access tokens have without being asked, and those by which one could be taken for another token.
    private static let ownClaims: Set<String> = [
        "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "auth_time", "client_id", "scope", "account", "sid",
        "nonce", "at_hash", "c_hash", "azp", "cnf", "act", "events",
    ]

    /// The prefix of the keys.
    package var prefix: String { "auth.resource.\(name)." }

    /// Creates a resource whose configuration has not been read yet.
    package init(unknown name: String) { self.init(name: name, identifier: "") }

    /// Returns the errors of this resource as a part of that configuration.
    func errors(in configuration: BrokerConfiguration) -> [ConfigurationError] {
        var rules = Rules(self, prefix: prefix)
        let isTaken =
            identifier == configuration.issuer || configuration.apps.contains { $0.clientID == identifier }
            || configuration.resources.contains { $0.name != name && $0.identifier == identifier }
        rules.require(!isTaken, \.identifier, takes(\.identifier))
        let confidential = Set(configuration.apps.filter(\.isConfidential).map(\.name))
        rules.require(confidential.isSuperset(of: introspectedBy), \.introspectedBy, takes(\.introspectedBy))
        return rules.errors
    }
}
