// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// The issuers of providers whose ID tokens may name another issuer than the configured one: Google with its two
/// spellings, and the tenants of a provider with an issuer template. Used only if ``RelyingParty/hasIssuerRule`` is
/// `true`.
extension RelyingParty {
    /// The rule for the issuers that this provider's tokens may name.
    func issuerRule(_ metadata: ProviderMetadata) -> IssuerRule {
        IssuerRule.rule(forIssuer: metadata.issuer, tenants: configuration.tenants)
    }

    /// The rule for tokens that must be of an issuer that is already known: for a template the same tenant with its
    /// `tid`, otherwise exactly this issuer.
    func issuerRule(narrowedTo issuer: String, _ metadata: ProviderMetadata) -> IssuerRule {
        guard hasIssuerRule, case .template(let template, let tenants) = issuerRule(metadata) else {
            return .exact(issuer)
        }
        return .template(
            template,
            tenants: tenants.filter {
                IssuerRule.template(template, tenants: [$0]).accepts(WireText(issuer), tenant: WireText($0))
            })
    }

    /// Whether the `iss` of a callback, or the issuer of an earlier sign-in, satisfies the rule for any tenant.
    func isAcceptable(issuer: WireText, _ metadata: ProviderMetadata) -> Bool {
        let rule = issuerRule(metadata)
        return rule.accepts(issuer, tenant: nil)
            || configuration.tenants.contains { rule.accepts(issuer, tenant: WireText($0)) }
    }

    /// Narrows the expectation to the tenant that the `iss` of the callback names, if several tenants share the
    /// provider.
    func narrowed(
        _ expectation: SignInExpectation, toTenantOf issuer: WireText?, _ metadata: ProviderMetadata
    ) -> SignInExpectation {
        guard hasIssuerRule, let issuer, expectation.continuity == nil, case .template = issuerRule(metadata) else {
            return expectation
        }
        var narrowed = expectation
        // The issuer has been accepted, so it is ASCII. Empty text is not an issuer.
        narrowed.continuity = IDTokenContinuity(
            issuer: issuer.ascii(atMost: AbsoluteURL.maximumLength) ?? "", subject: nil)
        return narrowed
    }

    /// The issuer under which an account is kept: the one of the metadata or, if that is a template, the one that the
    /// token names.
    func issuer(of payload: VerifiedPayload, _ metadata: ProviderMetadata) -> String {
        guard hasIssuerRule, case .template = issuerRule(metadata) else { return metadata.issuer }
        return payload.claims["iss"]?.text?.ascii(atMost: AbsoluteURL.maximumLength) ?? metadata.issuer
    }
}
