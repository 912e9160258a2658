// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOSSL
import OIDCBrokerTesting

/// TLS for the listeners of this tool.
enum ServerTLS {
    /// Returns a context for HTTP/1.1 with a certificate of this run.
    static func context(_ certificate: DevelopmentCertificate) throws -> NIOSSLContext {
        let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificate.certificatePEM.utf8))
        let key = try NIOSSLPrivateKey(bytes: Array(certificate.privateKeyPEM.utf8), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        configuration.shutdownTimeout = .milliseconds(200)
        return try NIOSSLContext(configuration: configuration)
    }
}
