// SPDX-License-Identifier: Apache-2.0

import JOSE
package import OIDCBrokerConfiguration
package import OIDCBrokerRecords
import OpenIDConnect
package import OpenIDRelyingParty

extension AppEntry {
    /// Returns why a verified sign-in does not go on to the app: a configured claim cannot be handed on, or the claims are
    /// not those that the app requires; `nil` if it goes on.
    func refusal(of signIn: VerifiedSignIn, at provider: ProviderEntry) -> Outcome? {
        provider.refusal(of: signIn, by: configuration.require, keeping: claimsAtUserInfo(of: provider))
    }

    /// The names of configured claims that UserInfo alone has for the app if they do not fit its tokens, since they are kept
    /// with the identity of the user: not those of an app without accounts or UserInfo, nor those that one of its APIs
    /// decides by.
    func claimsAtUserInfo(of provider: ProviderEntry) -> [String] {
        guard configuration.accounts, handler == nil, resources?.usual == nil else { return [] }
        let names = provider.configuration.claims.namesOfFurther
        return resources.map { resources in names.filter { !resources.listClaim($0) } } ?? names
    }
}

extension ProviderEntry {
    fileprivate func refusal(
        of signIn: VerifiedSignIn, by required: BrokerConfiguration.RequiredClaims, keeping kept: [String]
    ) -> Outcome? {
        guard !required.isEmpty || !configuration.claims.isEmpty else { return nil }
        do throws(ClaimError) {
            let claims = try configuration.claims.deciding(from: signIn.claims.object, keeping: kept)
            return required.unmet(by: claims, of: name).map { .requirementNotMet($0) }
        } catch {
            return .unusableClaims(error.description)
        }
    }

    /// Returns the claims of a verified sign-in by which apps decide, to be kept with the identity; `nil` if they are too long
    /// or the provider has one elsewhere.
    func keptClaims(of signIn: VerifiedSignIn) -> JSONObject? {
        let claims = configuration.claims
        return try? claims.deciding(from: signIn.claims.object, keeping: claims.namesOfFurther)
    }

    /// Returns what an app requires and a user does not have whose session it refreshes; `nil` if nothing is missing.
    /// - Parameter claims: What ``keptClaims(of:)`` returned at the newest sign-in. If it is not known, all is missing.
    func unmet(_ required: BrokerConfiguration.RequiredClaims, by claims: JSONObject?) -> String? {
        required.isEmpty ? nil : required.unmet(by: claims ?? JSONObject(), of: name)
    }
}

extension BrokerAccess.Provider {
    /// Returns why a verified sign-in is none for an app of an extension, which gets no configured claims but may require
    /// some; `nil` if it is one.
    package func refusal(of signIn: VerifiedSignIn, by required: BrokerConfiguration.RequiredClaims) -> Outcome? {
        guard !required.isEmpty else { return nil }
        return entry.refusal(of: signIn, by: required, keeping: entry.configuration.claims.namesOfFurther)
    }
}
