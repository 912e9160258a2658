// SPDX-License-Identifier: Apache-2.0

#if Server
    import JOSE
    import OIDCBroker
    import OIDCBrokerConfiguration
    import OpenIDRelyingParty

    /// Chooses the provider with which a token is compared.
    enum ExplainedProvider {
        /// Returns the provider with a name or id or, without a name, the only one, or else the only one with the issuer
        /// that the token names; `nil` if that is none or several.
        static func choose(
            _ name: String?, for token: String, among providers: [BrokerConfiguration.Provider]
        ) -> BrokerConfiguration.Provider? {
            if let name { return providers.first { $0.name == name } ?? providers.first { $0.id == name } }
            if providers.count == 1 { return providers.first }
            guard let issuer = OwnToken.part(1, of: token)?["iss"]?.text else { return nil }
            let matching = providers.filter { issuer.hasSameBytes(as: $0.configuration.issuer) }
            return matching.count == 1 ? matching.first : nil
        }
    }
#endif
