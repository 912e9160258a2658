// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// What a provider announces against what is configured, as pure comparisons.
///
/// A provider that announces something else than what is needed is `wrong`. One that announces nothing is `unknown`, since
/// most members are optional; so is one of a kind that is known not to announce all that it supports, as Apple.
struct MetadataComparison {
    let configuration: ProviderConfiguration
    let metadata: ProviderMetadata
    let provider: String
    let requiresIssuer: Bool
    /// The method that would be used, or why there is none.
    let authentication: Result<ClientAuthenticationMethod, RelyingPartyError>
    /// The algorithms registered for this client's ID tokens; `nil` if those in the metadata apply.
    let registeredAlgorithms: Set<JSONWebAlgorithm>?
    /// The algorithm of the client's key; `nil` if there is none that can be used.
    let signingAlgorithm: JSONWebAlgorithm?

    /// All comparisons that concern the configuration, in a fixed order.
    var checks: [LiveCheck] {
        // Without a client ID there are no sign-ins in a browser, only native credentials.
        guard !configuration.clientID.isEmpty else { return [idTokenAlgorithms] }
        var checks = [responseType, responseMode]
        if configuration.responseType.hasCode { checks += [clientAuthentication, codeChallenge] }
        checks.append(idTokenAlgorithms)
        if let tokenBinding { checks.append(tokenBinding) }
        if let scopes { checks.append(scopes) }
        checks += [pushedAuthorization, issuerParameter]
        if configuration.userInfo { checks.append(userInfo) }
        return checks
            + [requestObject, encryption, authenticationContexts, claimsParameter, resources].compactMap { $0 }
    }

    /// The verdict on something that is not among what is announced.
    private var missing: LiveCheck.Verdict { configuration.profile == .openIDConnect ? .wrong : .unknown }

    private func check(
        _ subject: LiveCheck.Subject, _ verdict: LiveCheck.Verdict, found: String, wanted: String,
        _ advice: String? = nil
    ) -> LiveCheck {
        LiveCheck(subject, of: provider, verdict, found: found, wanted: wanted, advice: verdict == .ok ? nil : advice)
    }

    private static func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }

    private var responseType: LiveCheck {
        let wanted = configuration.responseType
        guard let announced = metadata.responseTypes else {
            return check(.responseType, .unknown, found: "not announced", wanted: wanted.name)
        }
        let isAnnounced = announced.contains { ResponseType(name: $0) == wanted }
        return check(
            .responseType, isAnnounced ? .ok : missing, found: Self.list(announced), wanted: wanted.name,
            "Set response-type to one that the provider supports, or allow this one for the client there.")
    }

    private var responseMode: LiveCheck {
        let wanted = configuration.responseMode
        // The default of the standard (OpenID Connect Discovery 1.0 section 3).
        let announced = metadata.responseModes ?? [ResponseMode.query.name, ResponseMode.fragment.name]
        let found = metadata.responseModes.map(Self.list) ?? "not announced, so query and fragment"
        let isAnnounced = announced.contains(wanted.name)
        return check(
            .responseMode, isAnnounced ? .ok : metadata.responseModes == nil ? .unknown : missing, found: found,
            wanted: wanted.name,
            metadata.responseModes == nil
                ? "Try a sign-in: some providers ignore response_mode and answer in the query, which is refused."
                : "Set response-mode to one that the provider supports.")
    }

    private var clientAuthentication: LiveCheck {
        let announced = metadata.clientAuthenticationMethods
        switch authentication {
        case .failure(let error):
            return check(
                .clientAuthentication, .wrong, found: Self.list(announced), wanted: "\(error)",
                "Configure the credential for one of the methods that the provider announces.")
        case .success(let method):
            let isAnnounced = announced.contains(method.name)
            // A public client sends its id only, which providers seldom announce.
            let verdict: LiveCheck.Verdict =
                isAnnounced ? .ok : method == ClientAuthenticationMethod.none ? .unknown : missing
            return check(
                .clientAuthentication, verdict, found: Self.list(announced), wanted: method.name,
                "Set client-authentication to the method that is registered for the client at the provider.")
        }
    }

    private var codeChallenge: LiveCheck {
        guard let announced = metadata.codeChallengeMethods else {
            return check(
                .codeChallenge, .unknown, found: "not announced", wanted: "S256",
                "Nothing: the broker always uses PKCE. Ask the provider whether it checks code_verifier.")
        }
        return check(
            .codeChallenge, announced.contains("S256") ? .ok : missing, found: Self.list(announced), wanted: "S256",
            "The provider has to support PKCE with S256 (RFC 7636).")
    }

    private var idTokenAlgorithms: LiveCheck {
        let announced = metadata.idTokenAlgorithms
        let found = Self.list(announced.map(\.rawValue).sorted())
        if configuration.isFAPI, registeredAlgorithms == nil {
            return check(
                .idTokenAlgorithms, announced.isDisjoint(with: SecurityProfile.algorithms) ? .wrong : .ok, found: found,
                wanted: "PS256, ES256 or EdDSA, by profile fapi-2",
                "Let the provider sign the ID tokens of this client with one of them.")
        }
        guard let registeredAlgorithms else {
            let isUsable = announced.contains { !$0.isSymmetric }
            return check(
                .idTokenAlgorithms, isUsable ? .ok : .wrong, found: found, wanted: "one with a public key",
                "Set id-token-algorithms to the one that is registered for the client at the provider.")
        }
        let isAnnounced = registeredAlgorithms.contains { mine in announced.contains { $0.isSame(as: mine) } }
        return check(
            .idTokenAlgorithms, isAnnounced ? .ok : missing, found: found,
            wanted: Self.list(registeredAlgorithms.map(\.rawValue).sorted()),
            "Set id-token-algorithms to the one that is registered for the client at the provider, or leave it out.")
    }

    /// `nil` where access tokens are not bound.
    private var tokenBinding: LiveCheck? {
        if configuration.usesDPoP {
            let announced = metadata.dpopAlgorithms
            let verdict: LiveCheck.Verdict = announced.map { $0.contains("ES256") ? .ok : missing } ?? .unknown
            return check(
                .tokenBinding, verdict, found: announced.map(Self.list) ?? "not announced", wanted: "DPoP with ES256",
                "Set dpop to off, or let the provider accept proofs with ES256.")
        }
        guard configuration.bindsTokensToCertificate else { return nil }
        let isAnnounced = metadata.bindsAccessTokensToCertificates
        return check(
            .tokenBinding, isAnnounced ? .ok : .unknown, found: isAnnounced ? "announced" : "not announced",
            wanted: "access tokens that are bound to the client certificate",
            "Ask the provider whether it binds the access tokens of this client.")
    }

    /// A provider need not announce all scopes (OpenID Connect Discovery 1.0 section 3), so none is wrong; `nil` if it
    /// announces none.
    private var scopes: LiveCheck? {
        guard let announced = metadata.scopes else { return nil }
        let others = configuration.scopes.filter { scope in !announced.contains { $0.hasSameBytes(as: scope) } }
        return check(
            .scopes, others.isEmpty ? .ok : .unknown, found: Self.list(announced),
            wanted: Self.list(configuration.scopes),
            "Check whether the provider supports: \(Self.list(others)).")
    }

    private var pushedAuthorization: LiveCheck {
        let found =
            metadata.requiresPushedAuthorization
            ? "required" : metadata.pushedAuthorizationEndpoint == nil ? "not offered" : "offered"
        guard configuration.pushedAuthorization || configuration.isFAPI else {
            return check(.pushedAuthorization, .ok, found: found, wanted: "as the provider requires")
        }
        return check(
            .pushedAuthorization, metadata.pushedAuthorizationEndpoint == nil ? .wrong : .ok, found: found,
            wanted: configuration.isFAPI ? "an endpoint, by profile fapi-2" : "an endpoint",
            configuration.isFAPI ? "Leave profile out." : "Set pushed-authorization to false.")
    }

    private var issuerParameter: LiveCheck {
        let isSent = metadata.announcesIssuer || configuration.sendsIssuer
        let found =
            metadata.announcesIssuer
            ? "announced" : configuration.sendsIssuer ? "not announced, and sent by sends-issuer" : "not announced"
        guard !configuration.isFAPI else {
            return check(
                .issuerParameter, metadata.announcesIssuer ? .ok : .unknown, found: found,
                wanted: "'iss' in responses (RFC 9207), by profile fapi-2",
                "Try a sign-in: a response without 'iss' is refused.")
        }
        guard requiresIssuer else {
            return check(.issuerParameter, .ok, found: found, wanted: "nothing: the callback identifies the provider")
        }
        return check(
            .issuerParameter, isSent ? .ok : .wrong, found: found,
            wanted: "'iss' in responses (RFC 9207), since other providers have the same callback path",
            "Give the provider a callback-path of its own, or the response-type code id_token; or set sends-issuer if it "
                + "sends 'iss' anyway.")
    }

    /// `nil` if the provider requires none, and none is sent.
    private var requestObject: LiveCheck? {
        let isRequired = metadata.requiresSignedRequestObject
        let found = isRequired ? "required" : "not required"
        switch configuration.requestObject {
        case .off where isRequired:
            return check(
                .requestObject, missing, found: found, wanted: "requests without one",
                "Leave request-object out, or let the provider accept requests without a signed request object for this "
                    + "client.")
        case .off: return nil
        case nil where !isRequired: return nil
        case nil, .sign: break
        }
        guard let signingAlgorithm else {
            return check(
                .requestObject, .wrong, found: found, wanted: "client-signing-key",
                "Set client-signing-key, and register its public half at the provider.")
        }
        let announced = metadata.requestObjectAlgorithms
        let isAnnounced = announced.contains { JSONWebAlgorithm(rawValue: $0)?.isSame(as: signingAlgorithm) == true }
        let verdict: LiveCheck.Verdict = isAnnounced ? .ok : announced.isEmpty ? .unknown : missing
        return check(
            .requestObject, verdict, found: announced.isEmpty ? found : found + ", with " + Self.list(announced),
            wanted: signingAlgorithm.rawValue,
            announced.isEmpty
                ? "Try a sign-in: the provider does not announce by which algorithms requests may be signed."
                : "Set client-signing-key and client-signing-algorithm to what the provider announces.")
    }

    /// `nil` without decryption keys, or if nothing is announced.
    private var encryption: LiveCheck? {
        guard !configuration.decryptionKeys.isEmpty else { return nil }
        let (management, content) = metadata.idTokenEncryption
        guard management != nil || content != nil else { return nil }
        let own = (
            configuration.decryptionAlgorithm.map { [$0] } ?? KeyManagementAlgorithm.allCases.map(\.rawValue),
            ContentEncryptionAlgorithm.allCases.map(\.rawValue)
        )
        func haveCommon(_ announced: [String]?, _ own: [String]) -> Bool {
            announced.map { $0.contains { own.contains($0) } } ?? true
        }
        let isCommon = haveCommon(management, own.0) && haveCommon(content, own.1)
        return check(
            .encryption, isCommon ? .ok : missing,
            found: Self.list(management ?? []) + " with " + Self.list(content ?? []),
            wanted: Self.list(own.0) + " with " + Self.list(own.1),
            "Let the provider only sign the ID tokens of this client, and leave decryption-keys out.")
    }

    /// `nil` if none is required, or none is announced.
    private var authenticationContexts: LiveCheck? {
        guard !configuration.requiredACRValues.isEmpty, let announced = metadata.authenticationContexts else {
            return nil
        }
        let isOffered = configuration.requiredACRValues.contains { mine in
            announced.contains { $0.hasSameBytes(as: mine) }
        }
        return check(
            .authenticationContexts, isOffered ? .ok : missing, found: Self.list(announced),
            wanted: Self.list(configuration.requiredACRValues),
            "Set required-acr-values to values that the provider offers.")
    }

    /// `nil` if it is not used. Its default is that it is not supported (OpenID Connect Discovery 1.0 section 3), which many
    /// providers leave at that.
    private var claimsParameter: LiveCheck? {
        guard configuration.claimsParameter != nil else { return nil }
        let verdict: LiveCheck.Verdict =
            switch metadata.supportsClaimsParameter {
            case true?: .ok
            case false?: missing
            case nil: .unknown
            }
        return check(
            .claimsParameter, verdict,
            found: verdict == .ok ? "supported" : verdict == .wrong ? "not supported" : "not announced",
            wanted: "the claims parameter", "Leave claims out, and ask by scopes.")
    }

    /// `nil` unless both are configured.
    private var resources: LiveCheck? {
        guard configuration.userInfo, !configuration.resources.isEmpty else { return nil }
        return check(
            .resources, .unknown, found: "resources and user-info", wanted: "an access token that UserInfo accepts",
            "Many providers issue no token for UserInfo where others are named. Try a sign-in, or set user-info to false."
        )
    }

    private var userInfo: LiveCheck {
        check(
            .userInfo, metadata.userInfoEndpoint == nil ? .wrong : .ok,
            found: metadata.userInfoEndpoint == nil ? "no endpoint" : "an endpoint", wanted: "an endpoint",
            "Set user-info to false.")
    }
}
