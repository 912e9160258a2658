// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty

extension BrokerConfiguration.Provider {
    /// Validates what the relying party can tell: whether it can do with this configuration what it shall, and whether
    /// keys and certificates can be used.
    ///
    /// What is an error already is not named again.
    /// - Parameter members: those of the relying party's configuration that are validated; nil: all.
    func validateUse(_ rules: inout Rules, in configuration: BrokerConfiguration, members: Set<String>? = nil) {
        let redirectURI = configuration.publicURL.origin + (callbackPath ?? configuration.handlerPath)
        let found = ProviderEntry.relyingPartyConfiguration(self, redirectURI: redirectURI).errors()
        for (member, expected) in found where members?.contains(member) != false {
            let keys = Self.keys[member] ?? [member]
            let known = Set(rules.errors.map(\.key))
            guard let key = keys.first, !keys.contains(where: { known.contains(rules.prefix + $0) }) else { continue }
            rules.require(false, key, expected)
        }
    }

    /// The keys that each member of the relying party's configuration is made of, the one to name first.
    private static let keys = [
        "issuer": ["issuer"],
        "clientID": ["client-id"],
        "clientSecret": ["client-secret"],
        "clientAuthentication": ["client-authentication"],
        "redirectURI": ["callback-path"],
        "scopes": ["scopes"],
        "responseMode": ["response-mode"],
        "authorizationParameters": ["authorization-parameters"],
        "certificateAuthorities": ["certificate-authorities"],
        "allowsInsecureLoopbackIssuer": ["insecure-loopback-issuer"],
        "fetchesUserInfo": ["user-info"],
        "clockSkew": ["clock-skew-seconds"],
        "responseType": ["response-type"],
        "clientSigningKey": ["client-signing-key", "client-signing-algorithm"],
        "clientSigningAlgorithm": ["client-signing-algorithm"],
        "clientCertificate": ["client-certificate", "client-certificate-key"],
        "idTokenAlgorithms": ["id-token-algorithms"],
        "decryptionKeys": ["decryption-keys"],
        "pushesAuthorization": ["pushed-authorization"],
        "issuerTenants": ["tenants"],
        "trustedAudiences": ["trusted-audiences"],
        "requiredACRs": ["required-acr-values"],
        "claimsRequest": ["claims"],
        "resources": ["resources"],
        "proxy": ["proxy"],
    ]
}
