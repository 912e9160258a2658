// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// For the few providers whose tokens do not name the issuer that was asked: Google's two spellings, and the tenants of a
/// provider with an issuer template. Asked only where ``RelyingParty/hasIssuerRule``.
extension RelyingParty {
    /// The issuers that this provider's tokens may name.
    func issuerRule(_ metadata: ProviderMetadata) -> IssuerRule {
        IssuerRule.rule(forIssuer: metadata.issuer, tenants: configuration.issuerTenants)
    }

    /// The issuers that a token may name after something named this one: of a template the same tenant alone, with its
    /// `tid`; else exactly this one.
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

    /// Whether a callback's `iss`, or the issuer of an earlier sign-in, is one of the rule's, of whichever tenant.
    func isAcceptable(issuer: WireText, _ metadata: ProviderMetadata) -> Bool {
        let rule = issuerRule(metadata)
        return rule.accepts(issuer, tenant: nil)
            || configuration.issuerTenants.contains { rule.accepts(issuer, tenant: WireText($0)) }
    }

    /// Where tenants share a provider, `iss` of the callback tells which one answered: the token must be of that one.
    func narrowed(
        _ expectation: SignInExpectation, toTenantOf issuer: WireText?, _ metadata: ProviderMetadata
    ) -> SignInExpectation {
        guard hasIssuerRule, let issuer, expectation.continuity == nil, case .template = issuerRule(metadata) else {
            return expectation
        }
        var narrowed = expectation
        // It was accepted before, so that it is ASCII; the empty text is no issuer.
        narrowed.continuity = IDTokenContinuity(
            issuer: issuer.ascii(atMost: AbsoluteURL.maximumLength) ?? "", subject: nil)
        return narrowed
    }

    /// Whose token it is, for an account: the metadata's issuer, except for a template, which is nobody's.
    func issuer(of payload: VerifiedPayload, _ metadata: ProviderMetadata) -> String {
        guard hasIssuerRule, case .template = issuerRule(metadata) else { return metadata.issuer }
        return payload.claims["iss"]?.text?.ascii(atMost: AbsoluteURL.maximumLength) ?? metadata.issuer
    }
}
