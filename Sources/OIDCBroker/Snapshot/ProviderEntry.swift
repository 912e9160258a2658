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
    var isApple: Bool { configuration.kind == .apple }
    /// Whether browsers can be sent there: a provider without a client id takes native credentials only.
    var hasWebFlow: Bool { !configuration.clientID.isEmpty }
    /// Whether a code that an app brought can be exchanged, and what it was given revoked, with the app's client id.
    var provesNativeClients: Bool { configuration.privateKey != nil }

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
        share = isOnlyIssuer ? nil : .provider(issuer: configuration.issuer)
        self.mustAnnounceIssuer = mustAnnounceIssuer && !configuration.responseType.hasIDToken
        signIns = CallbackLog.counter(of: .signedIn, provider: configuration.id)
        configuredMaximumAge = configuration.authorizationParameters.first { $0.name == "max_age" }
            .flatMap { Int64($0.value) }
        var writer = ByteWriter()
        writer.write(counted: configuration.issuer.utf8)
        writer.write(counted: configuration.clientID.utf8)
        writer.write(counted: relyingParty.configuration.redirectURI.utf8)
        writer.write(counted: configuration.responseMode.name.utf8)
        writer.write(counted: configuration.responseType.name.utf8)
        fingerprint = Array(Hash.sha256(writer.bytes)[..<8])
        number = fingerprint.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// What the relying party needs to know of a provider.
    static func relyingPartyConfiguration(
        _ provider: BrokerConfiguration.Provider, redirectURI: String
    ) -> ProviderConfiguration {
        if provider.kind == .apple { return appleConfiguration(provider, redirectURI: redirectURI) }
        // Half a certificate is an error that validation names; it is none here.
        let certificate = provider.clientCertificate.flatMap { chain in
            provider.clientCertificateKey.map { ClientCertificate(certificateChain: chain, privateKey: $0) }
        }
        return ProviderConfiguration(
            issuer: provider.issuer,
            clientID: provider.clientID,
            clientSecret: provider.clientSecret,
            redirectURI: redirectURI,
            scopes: provider.scopes,
            clientAuthentication: provider.clientAuthentication,
            responseMode: provider.responseMode,
            authorizationParameters: provider.authorizationParameters.map { (name: $0.name, value: $0.value) },
            certificateAuthorities: provider.certificateAuthorities,
            allowsInsecureLoopbackIssuer: provider.allowsInsecureLoopbackIssuer,
            fetchesUserInfo: provider.userInfo,
            clockSkew: Int64(provider.clockSkewSeconds),
            responseType: provider.responseType,
            clientSigningKey: provider.clientSigningKey,
            clientSigningAlgorithm: provider.clientSigningAlgorithm,
            clientCertificate: certificate,
            idTokenAlgorithms: provider.idTokenAlgorithms,
            decryptionKeys: provider.decryptionKeys,
            pushesAuthorization: provider.pushedAuthorization,
            issuerTenants: provider.tenants,
            trustedAudiences: provider.trustedAudiences,
            requiredACRs: provider.requiredACRValues,
            claimsRequest: provider.claims,
            resources: provider.resources,
            proxy: provider.proxy)
    }
}
