// SPDX-License-Identifier: Apache-2.0

package import NIOSSL

/// What a check needs of a server's own certificate.
package struct CertificateFacts: Sendable, Hashable {
    /// The time from which the certificate is valid, in seconds since 1970.
    package var validFrom: Int64
    /// The time until which the certificate is valid, in seconds since 1970.
    package var validUntil: Int64
    /// Whether it names the host (RFC 9525).
    package var namesHost: Bool
    /// Whether its key and signature are as strong as browsers require.
    package var isStrong: Bool

    package init(validFrom: Int64, validUntil: Int64, namesHost: Bool = true, isStrong: Bool = true) {
        self.validFrom = validFrom
        self.validUntil = validUntil
        self.namesHost = namesHost
        self.isStrong = isStrong
    }

    /// Reads them from a certificate.
    /// - Parameter host: The DNS name or address that the certificate has to name, without brackets and port.
    package init(_ certificate: NIOSSLCertificate, host: String) {
        self.init(
            validFrom: Int64(certificate.notValidBefore), validUntil: Int64(certificate.notValidAfter),
            namesHost: ServiceIdentity(certificate)?.matches(host) == true,
            isStrong: CertificateStrength.isSufficient(certificate))
    }
}

extension LiveCheck {
    /// The number of days before its end from which a certificate is named as one to renew. Automatic renewal, of
    /// certificates of 90 days, happens 30 days before.
    package static let fewestCertificateDays: Int64 = 7

    /// Judges the certificate of a provider's host, or of this server if there is no provider.
    /// - Parameter now: The current time, in seconds since 1970.
    package static func certificate(
        _ facts: CertificateFacts, of provider: String?, host: String, now: Int64
    ) -> LiveCheck {
        func check(_ verdict: Verdict, found: String, _ advice: String?) -> LiveCheck {
            LiveCheck(
                .certificate, of: provider, verdict, found: "\(host): \(found)",
                wanted: "a valid certificate for \(host) with at least \(fewestCertificateDays) days left",
                advice: advice)
        }
        let renewal =
            provider == nil
            ? "Renew the certificate in server.tls.certificate-chain." : "The provider has to renew its certificate."
        let days = facts.validUntil.subtractingReportingOverflow(now).partialValue / 86_400
        if facts.validUntil <= now { return check(.wrong, found: "expired \(-days) days ago", renewal) }
        if facts.validFrom > now { return check(.wrong, found: "not valid yet", "Check this machine's clock.") }
        guard facts.namesHost else {
            return check(
                .wrong, found: "the certificate does not name this host",
                provider == nil
                    ? "Use a certificate with the host of auth.public-url among its subject alternative names."
                    : "Check the issuer's host name and its DNS records.")
        }
        guard facts.isStrong else {
            return check(.wrong, found: "too weak or unknown key or signature (RSA below 2048 bits, SHA-1)", renewal)
        }
        if days < fewestCertificateDays {
            // What another party has to do soon is no error here yet.
            return check(provider == nil ? .wrong : .unknown, found: "\(days) days left", renewal)
        }
        return check(.ok, found: "\(days) days left", nil)
    }
}
