// SPDX-License-Identifier: Apache-2.0

/// The files a TLS listener needs; both are read again when they change.
public struct TLSFiles: Sendable, Hashable {
    /// `server.tls.certificate-chain`: the path of a PEM file with the server's certificate first.
    public var certificateChain: String
    /// `server.tls.private-key`: the path of a PEM file with the certificate's private key.
    public var privateKey: String

    /// A pair of files.
    public init(certificateChain: String, privateKey: String) {
        self.certificateChain = certificateChain
        self.privateKey = privateKey
    }
}
