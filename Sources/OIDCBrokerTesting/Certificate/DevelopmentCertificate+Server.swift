// SPDX-License-Identifier: Apache-2.0

import NIOCore
package import NIOSSL

extension DevelopmentCertificate {
    /// The TLS of a listener for HTTP/1.1 with this certificate.
    /// - Throws: An error of NIOSSL if the certificate cannot be read.
    package func serverConfiguration() throws -> TLSConfiguration {
        let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificatePEM.utf8))
        let key = try NIOSSLPrivateKey(bytes: Array(privateKeyPEM.utf8), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        // Browsers do not respond to a close_notify on an idle connection, so a stop would wait 5 s for each.
        configuration.shutdownTimeout = .milliseconds(200)
        return configuration
    }
}
