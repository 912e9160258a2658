// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBroker
import OpenIDConnect
package import OpenIDRelyingParty

extension BrokerAccess.Provider {
    /// Whether an identity that was verified earlier may be one of this provider.
    func mayHaveIssued(_ key: IdentityKey) -> Bool { relyingParty.configuration.mayHaveIssued(key) }
}

extension ProviderConfiguration {
    /// Whether an identity may be one of this provider: its issuer is the configured one. Those of tenants are made of
    /// a template that stands in the metadata only, so with tenants the issuer is not compared.
    func mayHaveIssued(_ key: IdentityKey) -> Bool { !tenants.isEmpty || key.issuer.hasSameBytes(as: issuer) }

    /// Each issuer that ID tokens of the provider may have, as far as the configuration says it.
    package var issuers: [String] {
        switch IssuerRule.rule(forIssuer: issuer, tenants: tenants) {
        case .exact(let issuer): [issuer]
        case .anyOf(let issuers): issuers
        case .template(let template, let tenants):
            tenants.map { template.replacing(IssuerRule.tenantPlaceholder, with: $0) }
        }
    }
}
