// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerConfiguration
package import OIDCBrokerRecords
import OpenIDRelyingParty

extension Broker {
    /// Writes an event of the server around the broker into the broker's audit, if there is one.
    package func audit(_ event: @autoclosure () -> AuditEvent) { services.audit.record(event()) }
}

extension AuditEvent {
    /// The events of keys that two configurations have in different ways. They name which keys, and nothing of a key.
    static func keyChanges(
        from previous: BrokerConfiguration, to next: BrokerConfiguration
    ) -> [AuditEvent] {
        var events: [AuditEvent] = []
        if previous.sealingKeys != next.sealingKeys { events.append(AuditEvent(.keysChanged, outcome: "sealing_keys")) }
        if previous.signingKeys != next.signingKeys { events.append(AuditEvent(.keysChanged, outcome: "signing_keys")) }
        if previous.resourceSigningKeys != next.resourceSigningKeys {
            events.append(AuditEvent(.keysChanged, outcome: "resource_signing_keys"))
        }
        for provider in next.providers {
            guard let known = previous.providers.first(where: { $0.name == provider.name }), known.id == provider.id,
                known.apple?.privateKey != provider.apple?.privateKey || known.apple?.keyID != provider.apple?.keyID
                    || known.configuration.clientSecret != provider.configuration.clientSecret
                    || known.configuration.clientSigningKey != provider.configuration.clientSigningKey
                    || known.configuration.clientCertificate != provider.configuration.clientCertificate
            else { continue }
            events.append(AuditEvent(.keysChanged, outcome: "provider_credential", provider: provider.id))
        }
        if previous.webhook?.signingKey != next.webhook?.signingKey {
            events.append(AuditEvent(.keysChanged, outcome: "webhook_key"))
        }
        return events
    }
}
