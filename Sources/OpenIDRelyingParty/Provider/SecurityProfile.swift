// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// A profile of OpenID Connect, whose requirements provider and client meet.
public enum SecurityProfile: String, Sendable, Hashable {
    /// The FAPI 2.0 Security Profile: pushed requests, `iss` in the response, `private_key_jwt` or mutual TLS, PS256, ES256 or
    /// EdDSA, access tokens that are bound by DPoP or to the certificate, and TLS with forward secrecy.
    case fapi2 = "fapi-2"

    /// The algorithms of client assertions and of what the provider signs (FAPI 2.0 section 5.4.1).
    static let algorithms: Set<JSONWebAlgorithm> = [.ps256, .es256, .eddsa, .ed25519]
}

extension ProviderConfiguration {
    /// Whether the requirements of FAPI 2.0 apply.
    var isFAPI: Bool { securityProfile == .fapi2 }

    /// Whether codes and access tokens are bound to a key of each login.
    package var usesDPoP: Bool {
        switch dpop {
        case .on: true
        case .off: false
        case nil: isFAPI && clientCertificate == nil
        }
    }

    /// Whether access tokens are bound to the certificate though the metadata need not say so.
    var bindsTokensToCertificate: Bool {
        certificateBoundAccessTokens || (isFAPI && clientCertificate != nil && !usesDPoP)
    }

    /// Whether an access token is of no use to an app, which has neither the key nor the certificate that it is bound to.
    var bindsAccessTokens: Bool { usesDPoP || bindsTokensToCertificate }

    /// Returns what contradicts ``securityProfile``.
    /// - Parameter signingAlgorithm: The algorithm of client assertions; `nil` if there is no key.
    func contradictions(signingAlgorithm: JSONWebAlgorithm?) -> [ProviderConfigurationError] {
        guard isFAPI else { return [] }
        let authentications: [ClientAuthenticationMethod] = [.privateKeyJWT, .tlsClientAuth, .selfSignedTLSClientAuth]
        let names = "PS256, ES256, EdDSA or Ed25519 with profile fapi-2"
        func isAllowed(_ name: String) -> Bool {
            JSONWebAlgorithm(rawValue: name).map(SecurityProfile.algorithms.contains) ?? true
        }
        let requirements: [(Bool, ProviderConfigurationError.Code, ProviderConfigurationError.Member, String)] = [
            (clientSecret == nil, .conflicting, \.clientSecret, "no value with profile fapi-2"),
            (
                clientAuthentication.map(authentications.contains) ?? true, .conflicting, \.clientAuthentication,
                "private_key_jwt, tls_client_auth or self_signed_tls_client_auth with profile fapi-2"
            ),
            (
                clientSigningKey != nil || clientCertificate != nil, .missing, \.clientSigningKey,
                "a private key, or a client certificate, with profile fapi-2"
            ),
            (
                clientAssertionAudience == .issuer, .conflicting, \.clientAssertionAudience,
                "issuer with profile fapi-2"
            ),
            (clientSigningAlgorithm.map(isAllowed) ?? true, .conflicting, \.clientSigningAlgorithm, names),
            (
                clientSigningAlgorithm != nil
                    || signingAlgorithm.map(SecurityProfile.algorithms.contains) ?? true, .conflicting,
                \.clientSigningKey, "a key for \(names)"
            ),
            (idTokenAlgorithms?.allSatisfy(isAllowed) ?? true, .conflicting, \.idTokenAlgorithms, names),
            (responseType == .code, .conflicting, \.responseType, "code with profile fapi-2"),
            (
                bindsAccessTokens, .conflicting, \.dpop, "on, or a client certificate, with profile fapi-2"
            ),
            (metadataNetwork == .encrypted, .conflicting, \.metadataNetwork, "encrypted with profile fapi-2"),
            (!insecureLoopbackIssuer, .conflicting, \.insecureLoopbackIssuer, "false with profile fapi-2"),
        ]
        return requirements.filter { !$0.0 }.map { ProviderConfigurationError($0.1, $0.2, $0.3) }
    }
}
