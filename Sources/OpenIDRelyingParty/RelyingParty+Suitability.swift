// SPDX-License-Identifier: Apache-2.0

import JOSE
package import OpenIDConnect

extension RelyingParty {
    /// The authorization endpoint, if a sign-in in a browser can succeed by what the metadata say.
    ///
    /// A kind of provider that is known not to announce all that it supports is judged by its endpoints alone.
    /// - Throws: Why no sign-in can succeed, so that it is told before the user leaves.
    package func authorizationEndpoint(
        of metadata: ProviderMetadata
    ) throws(RelyingPartyError) -> AbsoluteURL {
        if let error = unsuitability(of: metadata) { throw error }
        return try usedAuthorizationEndpoint(of: metadata)
    }

    /// The authorization endpoint.
    /// - Throws: The error of the first member that a sign-in in a browser needs and that is absent or not acceptable.
    func usedAuthorizationEndpoint(of metadata: ProviderMetadata) throws(RelyingPartyError) -> AbsoluteURL {
        do throws(ProviderMetadataError) {
            return try metadata.authorizationEndpoint(
                isPushed: metadata.requiresPushedAuthorization || configuration.isFAPI,
                hasCode: configuration.responseType.hasCode,
                isMutualTLS: showsCertificate(metadata),
                registersAlgorithms: clientKeys.registeredAlgorithms != nil,
                verifiesByKeySet: clientKeys.registeredAlgorithms?.allSatisfy(\.isSymmetric) != true)
        } catch {
            throw .metadata(error)
        }
    }

    /// Why no sign-in in a browser can succeed by what the metadata say; `nil` if nothing speaks against it, and where
    /// there are no such sign-ins.
    func unsuitability(of metadata: ProviderMetadata) -> RelyingPartyError? {
        guard !configuration.clientID.isEmpty else { return nil }
        do throws(RelyingPartyError) {
            _ = try usedAuthorizationEndpoint(of: metadata)
            guard configuration.profile == .openIDConnect else { return nil }
            if configuration.responseType.hasCode { _ = try clientAuthenticationMethod(metadata, .token) }
            if signsRequest(metadata) { try checkRequestSigning() }
        } catch {
            return error
        }
        if configuration.userInfo, metadata.userInfoEndpoint == nil {
            return .unusable(.userInfo, "there is no endpoint: set user-info to false")
        }
        if configuration.isFAPI, idTokenAlgorithms(metadata).isEmpty {
            return .unusable(
                .idToken, "the provider announces no algorithm of profile fapi-2: PS256, ES256 or EdDSA")
        }
        if let registered = clientKeys.registeredAlgorithms, metadata.announcesIDTokenAlgorithms,
            idTokenAlgorithms(metadata).isDisjoint(with: metadata.idTokenAlgorithms)
        {
            let names = { (algorithms: Set<JSONWebAlgorithm>) in
                algorithms.map(\.rawValue).sorted().joined(separator: ", ")
            }
            return .unusable(
                .idToken,
                "id-token-algorithms has \(names(registered)), and the provider announces "
                    + names(metadata.idTokenAlgorithms))
        }
        return nil
    }
}

extension RelyingPartyError {
    /// The error of a member of the metadata that is needed.
    static func metadata(_ error: ProviderMetadataError) -> Self { .unusable(.discovery, "\(error)") }
}
