// SPDX-License-Identifier: Apache-2.0

import JOSE
package import NIOSSL

/// PEM files as every setting takes them (`PEMBlocks`): indented or not, and with other blocks among those that are meant.
extension NIOSSLCertificate {
    /// The certificates in PEM bytes, in order; none if there is none, or one that cannot be read.
    package static func certificates(inPEM bytes: [UInt8]) -> [NIOSSLCertificate] {
        let text = PEMBlocks.certificates(in: String(decoding: bytes, as: UTF8.self)).joined()
        return (try? fromPEMBytes(Array(text.utf8))) ?? []
    }
}

extension NIOSSLPrivateKey {
    /// The first private key in a PEM text; `nil` if there is none that can be read, and if it is encrypted.
    package static func privateKey(inPEM text: String) -> NIOSSLPrivateKey? {
        guard let block = PEMBlocks.privateKeys(in: text).first else { return nil }
        // Without a callback, BoringSSL asks for a passphrase on the terminal.
        let noPassphrase: NIOSSLPassphraseCallback<[UInt8]> = { _ in throw ProviderTransportError.unusableTrust }
        return try? NIOSSLPrivateKey(bytes: Array(block.utf8), format: .pem, passphraseCallback: noPassphrase)
    }
}
