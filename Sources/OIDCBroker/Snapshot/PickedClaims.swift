// SPDX-License-Identifier: Apache-2.0

import JOSE
package import OIDCBrokerConfiguration
package import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
package import OpenIDRelyingParty

/// The configured claims of a verified sign-in, by the names that apps know. They may be long, so they are picked once for
/// all that read them.
struct PickedClaims: Sendable {
    /// The claims by which apps decide; empty for a sign-in that does not go on.
    private(set) var deciding = JSONObject()
    /// The names of those that UserInfo alone has for the app if they do not fit its tokens.
    private(set) var atUserInfo: [String] = []
    /// The claims by which apps decide, to be kept with the identity: none if they are too long in all, so that those
    /// of an earlier sign-in do not stay; `nil` for a sign-in that does not continue, or without picked claims.
    private(set) var kept: JSONObject?
    /// Why the sign-in does not go on: a configured claim cannot be handed on, or the claims are not those that the app
    /// requires; `nil` if it goes on.
    private(set) var refusal: Outcome?
}

extension PickedClaims {
    /// - Parameters:
    ///   - required: The claims that the app requires.
    ///   - atUserInfo: The names of those that may be too long for an ID token.
    fileprivate init(
        _ signIn: VerifiedSignIn, at provider: ProviderEntry, requiring required: BrokerConfiguration.RequiredClaims,
        atUserInfo: [String]
    ) {
        let maximum = BrokerConfiguration.ProviderClaim.maximumKeptLength
        do throws(ClaimError) {
            deciding = try provider.configuration.claims.deciding(from: signIn.claims.object, keeping: atUserInfo)
            self.atUserInfo = atUserInfo
            // With names, the length of all of them was checked.
            kept = !atUserInfo.isEmpty || deciding.serialized().count <= maximum ? deciding : JSONObject()
            refusal = required.unmet(by: deciding, of: provider.name).map { .requirementNotMet($0) }
        } catch {
            refusal = .unusableClaims(error.description)
        }
    }
}

extension AppEntry {
    /// Picks the configured claims of a verified sign-in, and says whether it goes on to the app.
    func claims(of signIn: VerifiedSignIn, at provider: ProviderEntry) -> PickedClaims {
        let required = configuration.require
        guard configuration.accounts || !required.isEmpty || !provider.configuration.claims.isEmpty else {
            return PickedClaims()
        }
        return PickedClaims(signIn, at: provider, requiring: required, atUserInfo: claimsAtUserInfo(of: provider))
    }

    /// Returns the claims of a session that goes on, with the configured ones as the newest sign-in of the identity left them:
    /// a user who lost a group has lost it here too.
    func claims(of session: KeptAppSession, at provider: ProviderEntry) throws(ClaimError) -> JSONObject {
        guard let newest = session.decidingClaims else { return session.claims }
        return try HandedClaims.renewed(
            session.claims, by: newest, configured: provider.configuration.claims,
            atUserInfo: claimsAtUserInfo(of: provider))
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
    /// Returns what an app requires and a user does not have whose session it refreshes; `nil` if nothing is missing.
    /// - Parameter claims: What was kept of the newest sign-in. If it is not known, all is missing.
    func unmet(_ required: BrokerConfiguration.RequiredClaims, by claims: JSONObject?) -> String? {
        required.isEmpty ? nil : required.unmet(by: claims ?? JSONObject(), of: name)
    }
}

extension BrokerAccess.Provider {
    /// Returns why a verified sign-in is none for an app of an extension, which gets no configured claims but may require
    /// some; `nil` if it is one.
    package func refusal(of signIn: VerifiedSignIn, by required: BrokerConfiguration.RequiredClaims) -> Outcome? {
        guard !required.isEmpty else { return nil }
        let names = entry.configuration.claims.namesOfFurther
        return PickedClaims(signIn, at: entry, requiring: required, atUserInfo: names).refusal
    }
}
