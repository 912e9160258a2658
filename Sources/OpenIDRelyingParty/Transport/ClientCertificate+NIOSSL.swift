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
        let chain = (try? NIOSSLCertificate.fromPEMBytes(certificateChain)) ?? []
        guard !chain.isEmpty else { return "client-certificate has no PEM certificate that can be read" }
        let noPassphrase: NIOSSLPassphraseCallback<[UInt8]> = { _ in throw ProviderTransportError.unusableTrust }
        let bytes = privateKey.withExposedValue { Array($0.utf8) }
        guard (try? NIOSSLPrivateKey(bytes: bytes, format: .pem, passphraseCallback: noPassphrase)) != nil else {
            return privateKey.withExposedValue {
                "the key \(PrivateKeyProblem($0, kinds: [.p256, .p384, .p521, .ed25519, .rsa]))"
            }
        }
        return "the key does not belong to the first certificate"
    }

    private func read() -> ([NIOSSLCertificateSource], NIOSSLPrivateKeySource)? {
        let bytes = privateKey.withExposedValue { Array($0.utf8) }
        // Without a callback, BoringSSL asks for a passphrase on the terminal.
        let noPassphrase: NIOSSLPassphraseCallback<[UInt8]> = { _ in throw ProviderTransportError.unusableTrust }
        guard !certificateChain.isEmpty, !bytes.isEmpty,
            let certificates = try? NIOSSLCertificate.fromPEMBytes(certificateChain), !certificates.isEmpty,
            let key = try? NIOSSLPrivateKey(bytes: bytes, format: .pem, passphraseCallback: noPassphrase)
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
