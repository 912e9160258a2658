// SPDX-License-Identifier: Apache-2.0

/// The certificate and key with which this client proves itself to a provider by TLS (RFC 8705).
public struct ClientCertificate: Sendable, Hashable {
    /// The certificate and those between it and its authority, PEM bytes, the client's own first.
    public var certificateChain: [UInt8]
    /// The certificate's private key, PEM (PKCS#8, SEC 1 or PKCS#1), not encrypted.
    public var privateKey: Secret

    /// A certificate with its key. Nothing is read yet: ``RelyingParty`` says at its first use what is wrong with them.
    public init(certificateChain: [UInt8], privateKey: Secret) {
        self.certificateChain = certificateChain
        self.privateKey = privateKey
    }
}
