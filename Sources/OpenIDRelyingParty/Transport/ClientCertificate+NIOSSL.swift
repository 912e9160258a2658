// SPDX-License-Identifier: Apache-2.0

import JOSE
package import NIOSSL

extension ClientCertificate {
    /// Adds the certificate and its key to a TLS configuration.
    /// - Throws: ``ProviderTransportError/unusableTrust`` if one of them cannot be read, or if they do not belong
    ///   together.
    package func apply(to configuration: inout TLSConfiguration) throws(ProviderTransportError) {
        guard let (chain, key) = read() else { throw .unusableTrust }
        configuration.certificateChain = chain
        configuration.privateKey = key
    }

    /// Whether the certificate and the key can be read and belong together.
    var isUsable: Bool { read() != nil }

    /// The reason why the certificate and the key cannot be used, without a part of them.
    var problem: String {
        guard !NIOSSLCertificate.certificates(inPEM: certificateChain).isEmpty else {
            return "client-certificate has no PEM certificate that can be read"
        }
        guard privateKey.withExposedValue({ NIOSSLPrivateKey.privateKey(inPEM: $0) }) != nil else {
            return privateKey.withExposedValue {
                "the key \(PrivateKeyProblem($0, kinds: [.p256, .p384, .p521, .ed25519, .rsa]))"
            }
        }
        return "the key does not belong to the first certificate"
    }

    private func read() -> ([NIOSSLCertificateSource], NIOSSLPrivateKeySource)? {
        let certificates = NIOSSLCertificate.certificates(inPEM: certificateChain)
        guard !certificates.isEmpty, let key = privateKey.withExposedValue({ NIOSSLPrivateKey.privateKey(inPEM: $0) })
        else { return nil }
        // This context only compares the key with the certificate. No connection uses it, and it trusts no certificate.
        var comparison = TLSConfiguration.makeClientConfiguration()
        comparison.trustRoots = .certificates([])
        comparison.certificateChain = certificates.map { .certificate($0) }
        comparison.privateKey = .privateKey(key)
        guard (try? NIOSSLContext(configuration: comparison)) != nil else { return nil }
        return (comparison.certificateChain, .privateKey(key))
    }
}
