// SPDX-License-Identifier: Apache-2.0

import Accounts
import AccountsTransfer
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

extension ProviderConfiguration {
    /// The tenant of Microsoft Entra whose users sign in with the provider; `nil` if it is another provider, or has several.
    package var entraTenant: String? {
        let issuers = issuers
        guard issuers.count == 1, let issuer = issuers.first else { return nil }
        return IdentityKey.entraTenant(ofIssuer: issuer)
    }
}

extension ProviderIssuers {
    /// The issuers of the providers of a server.
    init(_ broker: BrokerAccess) {
        self.init(tenant: broker.provider(id: Self.microsoft)?.relyingParty.configuration.entraTenant) { id in
            let issuers = broker.provider(id: id)?.relyingParty.configuration.issuers ?? []
            // Google has two spellings. Identities have the first.
            return issuers.count == 1 || id.hasSameBytes(as: "google.com") ? issuers.first : nil
        }
    }
}
