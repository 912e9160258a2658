// SPDX-License-Identifier: Apache-2.0

import JOSE
package import OIDCBrokerConfiguration
package import OIDCBrokerRecords
import OpenIDConnect
package import OpenIDRelyingParty

extension ProviderEntry {
    /// Returns why a verified sign-in does not go on to an app: a configured claim cannot be handed on, or the claims are not
    /// those that the app requires; `nil` if it goes on.
    func refusal(of signIn: VerifiedSignIn, by required: BrokerConfiguration.RequiredClaims) -> Outcome? {
        guard !required.isEmpty || !configuration.claims.isEmpty else { return nil }
        do throws(ClaimError) {
            let claims = try configuration.claims.deciding(from: signIn.claims.object)
            return required.unmet(by: claims, of: name).map { .requirementNotMet($0) }
        } catch {
            return .unusableClaims(error.description)
        }
    }
}

extension ProviderEntry {
    /// Returns the claims of a verified sign-in by which apps decide, as the JSON text of an object; `nil` if one of them
    /// cannot be handed on, which ends a sign-in.
    func decidingClaims(of signIn: VerifiedSignIn) -> [UInt8]? {
        (try? configuration.claims.deciding(from: signIn.claims.object))?.serialized()
    }

    /// Returns what an app requires and a user does not have whose session it refreshes; `nil` if nothing is missing.
    /// - Parameter claims: What ``decidingClaims(of:)`` returned at the newest sign-in. If it is not known, all is missing.
    func unmet(_ required: BrokerConfiguration.RequiredClaims, by claims: [UInt8]?) -> String? {
        guard !required.isEmpty else { return nil }
        let kept = claims.flatMap { JSONObjectText(bytes: $0)?.object }
        return required.unmet(by: kept ?? JSONObject(), of: name)
    }
}

extension BrokerAccess.Provider {
    /// Returns why a verified sign-in is none for an app of an extension, which gets no configured claims but may require
    /// some; `nil` if it is one.
    package func refusal(of signIn: VerifiedSignIn, by required: BrokerConfiguration.RequiredClaims) -> Outcome? {
        required.isEmpty ? nil : entry.refusal(of: signIn, by: required)
    }
}
