// SPDX-License-Identifier: Apache-2.0

import JOSE
import Metrics
import OpenIDConnect
import OpenIDRelyingParty

/// A provider, prepared for requests.
final class ProviderEntry: Sendable {
    let configuration: BrokerConfiguration.Provider
    let relyingParty: RelyingParty
    let callbackPath: String
    /// What must still be true at the callback: issuer, client id, callback URL, response mode and type; 8 bytes.
    let fingerprint: [UInt8]
    /// The fingerprint as one number.
    let number: UInt64
    /// What its records count for in the store, so that they leave room to other issuers'; `nil` if there is no other.
    let share: SingleUseKey?
    /// Whether other providers return to the same path and this one is not the first of them: it must announce `iss`
    /// then, or a mix-up could not be told (RFC 9207). The first on a path is exempt: a callback that carries another's
    /// `iss` is refused for it as well. So is one whose answers have an ID token, which says whose they are before a
    /// code is sent anywhere.
    let mustAnnounceIssuer: Bool

    /// Whether it is Apple: a name comes with the first consent, notifications are posted.
    let isApple: Bool
    /// Whether browsers can be sent there: a provider without a client id takes native credentials only.
    var hasWebFlow: Bool { !relyingParty.configuration.clientID.isEmpty }
    /// Whether a code that an app brought can be exchanged, and what it was given revoked, with the app's client id.
    let provesNativeClients: Bool

    var name: String { configuration.name }
    var id: String { configuration.id }

    /// Counts the returns that signed somebody in. Kept, as the one outcome that is frequent: making a counter asks the
    /// whole metrics system for it.
    let signIns: Counter

    /// `max_age` where the configuration itself sends it; what is sent is also verified.
    let configuredMaximumAge: Int64?

    init(
        _ configuration: BrokerConfiguration.Provider,
        relyingParty: RelyingParty,
        callbackPath: String,
        mustAnnounceIssuer: Bool,
        isOnlyIssuer: Bool
    ) {
        self.configuration = configuration
        self.relyingParty = relyingParty
        self.callbackPath = callbackPath
        isApple = configuration.apple != nil
        provesNativeClients = configuration.apple?.privateKey != nil
        let client = relyingParty.configuration
        share = isOnlyIssuer ? nil : .provider(issuer: client.issuer)
        self.mustAnnounceIssuer = mustAnnounceIssuer && !client.responseType.hasIDToken
        signIns = CallbackLog.counter(of: .signedIn, provider: configuration.id)
        configuredMaximumAge = client.maximumAge
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
