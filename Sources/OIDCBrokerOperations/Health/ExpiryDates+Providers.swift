// SPDX-License-Identifier: Apache-2.0

public import OIDCBrokerConfiguration
import OpenIDRelyingParty

extension ExpiryDates {
    /// Takes over when the client certificates and client secrets of a configuration's providers end, by the IDs that
    /// clients know, or as `provider server` where that is `server`. What an earlier configuration had is gone. Call it
    /// at the start and after each reload.
    ///
    /// Of a client secret that is known only if the configuration says so: a provider does not tell. The secrets for
    /// Apple are made anew before they end.
    /// - Parameter configuration: The configuration in use. Its certificates are read here.
    public func update(_ configuration: BrokerConfiguration) {
        replaceProviders(
            by: configuration.providers.flatMap { provider -> [Entry] in
                let client = provider.configuration
                let ends: [(Kind, Int64?)] = [
                    (.certificate, client.clientCertificate?.end),
                    (.clientSecret, client.clientSecret == nil ? nil : provider.clientSecretExpires),
                ]
                let name = Self.name(ofProvider: provider.id)
                return ends.compactMap { kind, end in end.map { Entry(kind: kind, name: name, end: $0) } }
            })
    }

    /// Returns the name of what belongs to a provider. The server's own certificate has the name `server`, which the ID
    /// of a provider may be too; no ID has a space.
    private static func name(ofProvider id: String) -> String { id == ownName ? "provider \(ownName)" : id }
}
