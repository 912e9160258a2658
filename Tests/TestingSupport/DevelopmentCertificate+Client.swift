// SPDX-License-Identifier: Apache-2.0

package import NIOSSL
package import OIDCBrokerTesting

extension DevelopmentCertificate {
    /// A client that trusts this certificate and no other, and verifies the host's name.
    /// - Throws: An error of TLS if the certificate cannot be read.
    package func clientConfiguration() throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .fullVerification
        configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(certificatePEM.utf8)))
        return configuration
    }
}
