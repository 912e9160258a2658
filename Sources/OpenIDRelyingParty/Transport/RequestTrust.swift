// SPDX-License-Identifier: Apache-2.0

/// The trust of a relying party's requests: of most, and of those that show the client's certificate.
struct RequestTrust: Sendable {
    /// Without the client's certificate: who it is, is nobody's business where it does not prove anything.
    private(set) var plain: ProviderTrust
    /// With the client's certificate, where there is one.
    private(set) var withCertificate: ProviderTrust

    init(_ configuration: ProviderConfiguration, addresses: ProviderTrust.Addresses) {
        plain = ProviderTrust(
            certificateAuthorities: configuration.certificateAuthorities, addresses: addresses,
            proxy: configuration.proxy)
        guard let certificate = configuration.clientCertificate else {
            withCertificate = plain
            return
        }
        withCertificate = ProviderTrust(
            certificateAuthorities: configuration.certificateAuthorities, addresses: addresses,
            clientCertificate: certificate, proxy: configuration.proxy)
    }

    /// For the question whether the issuer itself has a private address: whoever answers it has one.
    var forPrivateIssuer: ProviderTrust {
        var trust = plain
        trust.addresses = .privateOnly
        return trust
    }

    /// The issuer itself turned out to have a private address.
    mutating func allowAnyAddress() {
        plain.addresses = .any
        withCertificate.addresses = .any
    }
}
