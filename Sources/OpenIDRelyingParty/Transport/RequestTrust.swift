// SPDX-License-Identifier: Apache-2.0

/// The trust of a relying party's requests, with and without the client's certificate.
struct RequestTrust: Sendable {
    /// The trust without the client's certificate: the client is not identified to endpoints that publish documents.
    private(set) var plain: ProviderTrust
    /// The trust with the client's certificate, if there is one.
    private(set) var withCertificate: ProviderTrust

    init(_ configuration: ProviderConfiguration, addresses: ProviderTrust.Addresses) {
        plain = ProviderTrust(
            certificateAuthorities: configuration.certificateAuthorities, addresses: addresses,
            proxy: configuration.proxy)
        plain.restrictsCiphers = configuration.isFAPI
        guard let certificate = configuration.clientCertificate else {
            withCertificate = plain
            return
        }
        withCertificate = ProviderTrust(
            certificateAuthorities: configuration.certificateAuthorities, addresses: addresses,
            clientCertificate: certificate, proxy: configuration.proxy)
        withCertificate.restrictsCiphers = configuration.isFAPI
    }

    /// The trust for finding out whether the issuer itself has a private address: a server that responds to such a
    /// request has one.
    var forPrivateIssuer: ProviderTrust {
        var trust = plain
        trust.addresses = .privateOnly
        return trust
    }

    /// Allows private addresses, after the issuer itself was found to have one.
    mutating func allowAnyAddress() {
        plain.addresses = .any
        withCertificate.addresses = .any
    }
}
