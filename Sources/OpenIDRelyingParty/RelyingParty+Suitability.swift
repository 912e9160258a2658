// SPDX-License-Identifier: Apache-2.0

import JOSE
package import OpenIDConnect

extension RelyingParty {
    /// Why no sign-in in a browser can succeed by what the metadata say, so that it is told before the user leaves; `nil`
    /// if nothing speaks against it.
    ///
    /// A kind of provider that is known not to announce all that it supports is not judged.
    package func unsuitability(of metadata: ProviderMetadata) -> RelyingPartyError? {
        guard configuration.profile == .openIDConnect, !configuration.clientID.isEmpty else { return nil }
        if configuration.responseType.hasCode {
            do throws(RelyingPartyError) {
                _ = try clientAuthenticationMethod(metadata, .token)
            } catch {
                return error
            }
        }
        if configuration.userInfo, metadata.userInfoEndpoint == nil {
            return .unusable(.userInfo, "there is no endpoint: set user-info to false")
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
