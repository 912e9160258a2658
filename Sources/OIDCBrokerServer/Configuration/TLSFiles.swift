// SPDX-License-Identifier: Apache-2.0

/// The files of a TLS listener, which are read again if they change.
public struct TLSFiles: Sendable, Hashable {
    /// The path of a PEM file with the server's certificate first: `server.tls.certificate-chain`.
    public var certificateChain: String
    /// The path of a PEM file with the private key of the certificate: `server.tls.private-key`.
    public var privateKey: String

    /// Creates a pair of files.
    public init(certificateChain: String, privateKey: String) {
        self.certificateChain = certificateChain
        self.privateKey = privateKey
    }
}
