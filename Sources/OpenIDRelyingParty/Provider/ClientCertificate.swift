// SPDX-License-Identifier: Apache-2.0

/// The certificate and private key with which this client authenticates to a provider by TLS (RFC 8705).
public struct ClientCertificate: Sendable, Hashable {
    /// The certificate followed by its intermediate certificates, as PEM bytes.
    public var certificateChain: [UInt8]
    /// The private key of the certificate, PEM (PKCS#8, SEC 1 or PKCS#1), not encrypted.
    public var privateKey: Secret

    /// Creates a client certificate. Nothing is parsed yet: errors are reported when a ``RelyingParty`` first uses it.
    public init(certificateChain: [UInt8], privateKey: Secret) {
        self.certificateChain = certificateChain
        self.privateKey = privateKey
    }
}
