// SPDX-License-Identifier: Apache-2.0

import NIOSSL

extension ClientCertificate {
    /// Puts the certificate and its key into a TLS configuration.
    /// - Throws: ``ProviderTransportError/unusableTrust`` where one of them cannot be read, or they do not go together.
    func apply(to configuration: inout TLSConfiguration) throws(ProviderTransportError) {
        guard let (chain, key) = read() else { throw .unusableTrust }
        configuration.certificateChain = chain
        configuration.privateKey = key
    }

    /// Whether certificate and key can be read, and go together.
    var isUsable: Bool { read() != nil }

    private func read() -> ([NIOSSLCertificateSource], NIOSSLPrivateKeySource)? {
        let bytes = privateKey.withExposedValue { Array($0.utf8) }
        // Without a callback BoringSSL asks for a passphrase on the terminal.
        let noPassphrase: NIOSSLPassphraseCallback<[UInt8]> = { _ in throw ProviderTransportError.unusableTrust }
        guard !certificateChain.isEmpty, !bytes.isEmpty,
            let certificates = try? NIOSSLCertificate.fromPEMBytes(certificateChain), !certificates.isEmpty,
            let key = try? NIOSSLPrivateKey(bytes: bytes, format: .pem, passphraseCallback: noPassphrase)
        else { return nil }
        // A context of no use but this: it compares the key with the certificate. Nothing connects with it, and nobody
        // would be trusted by it.
        var comparison = TLSConfiguration.makeClientConfiguration()
        comparison.trustRoots = .certificates([])
        comparison.certificateChain = certificates.map { .certificate($0) }
        comparison.privateKey = .privateKey(key)
        guard (try? NIOSSLContext(configuration: comparison)) != nil else { return nil }
        return (comparison.certificateChain, .privateKey(key))
    }
}
