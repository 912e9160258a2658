// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerConfiguration
import OIDCBrokerPages
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty
import SingleUse

/// A provider of the configuration, prepared for requests.
final class ProviderEntry: Sendable {
    let configuration: BrokerConfiguration.Provider
    let relyingParty: RelyingParty
    /// Its position in the configuration, from 0.
    let position: Int
    let callbackPath: String
    /// The hash of what must not change until the callback: issuer, client ID, callback URL, response mode and type; 8
    /// bytes.
    let fingerprint: [UInt8]
    /// The fingerprint as a number.
    let number: UInt64
    /// The key under which the store counts its records, so that they do not displace those of other issuers; `nil` if
    /// there is no other.
    let share: SingleUseKey?
    /// Whether the provider must announce `iss`, because others share its callback path and it is not the first of
    /// them. Otherwise a mix-up could not be detected (RFC 9207). The first provider on a path is exempt, since a
    /// callback with the `iss` of another one is refused for it too. A provider whose responses contain an ID token is
    /// also exempt, since that identifies the provider before a code is sent anywhere.
    let mustAnnounceIssuer: Bool

    /// The scopes that an app may ask for, each once.
    let scopes: [String]
    /// The parameters that an app may pass to the provider. Parameters that the operator fixed are not among them,
    /// except `max_age`: the smaller value is sent.
    let appParameters: ParameterNames

    /// What the provider's kind changes.
    let behavior: ProviderBehavior
    /// Whether the provider supports sign-ins in a browser. Without a client ID it is used only for native credentials.
    var hasWebFlow: Bool { !relyingParty.configuration.clientID.isEmpty }

    var name: String { configuration.name }
    var id: String { configuration.id }

    /// The `max_age` that the configuration sends; `nil` if there is none. It is also verified.
    let configuredMaximumAge: Int64?

    init(
        _ configuration: BrokerConfiguration.Provider,
        at position: Int,
        relyingParty: RelyingParty,
        behavior: ProviderBehavior,
        callbackPath: String,
        mustAnnounceIssuer: Bool,
        isOnlyIssuer: Bool
    ) {
        self.configuration = configuration
        self.position = position
        self.relyingParty = relyingParty
        self.callbackPath = callbackPath
        self.behavior = behavior
        let client = relyingParty.configuration
        share = isOnlyIssuer ? nil : .provider(issuer: client.issuer)
        self.mustAnnounceIssuer = mustAnnounceIssuer && !client.responseType.hasIDToken
        configuredMaximumAge = client.maximumAge
        scopes = configuration.scopesOfApps
        let fixed = Set(client.authorizationParameters.map { WireText($0.name) }).subtracting(["max_age"])
        appParameters = ParameterNames(configuration.appParameters.filter { !fixed.contains(WireText($0)) })
        var writer = ByteWriter()
        writer.write(counted: client.issuer.utf8)
        writer.write(counted: client.clientID.utf8)
        writer.write(counted: client.redirectURI.utf8)
        writer.write(counted: client.responseMode.name.utf8)
        writer.write(counted: client.responseType.name.utf8)
        fingerprint = Array(Hash.sha256(writer.bytes)[..<8])
        number = fingerprint.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension ProviderChoice {
    init(_ provider: ProviderEntry) { self.init(provider.configuration) }
}
