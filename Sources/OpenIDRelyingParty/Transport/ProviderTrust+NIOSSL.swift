// SPDX-License-Identifier: Apache-2.0

package import NIOSSL

extension ProviderTrust {
    /// Returns the TLS configuration of a client with this trust: TLS 1.2 or later, with the client's own certificate.
    /// - Throws: ``ProviderTransportError/unusableTrust`` if the certificate authorities, or the client's certificate
    ///   or key, cannot be read.
    package func tlsConfiguration() throws(ProviderTransportError) -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if restrictsCiphers {
            tls.cipherSuiteValues = [
                .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
                .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
            ]
        }
        if let pem = certificateAuthorities {
            let certificates = NIOSSLCertificate.certificates(inPEM: pem)
            guard !certificates.isEmpty else { throw .unusableTrust }
            tls.trustRoots = .certificates(certificates)
        }
        if let clientCertificate { try clientCertificate.apply(to: &tls) }
        return tls
    }
}
