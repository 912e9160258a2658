// SPDX-License-Identifier: Apache-2.0

import JOSE
import Logging
import NIOCertificateReloading
import NIOCore
import NIOSSL
import OIDCBrokerConfiguration
import OIDCBrokerOperations
import X509

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A factory for the reloader of the TLS files, which reads them periodically and keeps the last valid pair.
enum CertificateReload {
    /// Returns a reloader that has read the files.
    ///
    /// - Throws: An error if a file cannot be read, or the key does not belong to the certificate.
    static func reloader(
        _ files: TLSFiles, every interval: Duration, logger: Logger, expiries: ExpiryDates? = nil
    ) throws -> TimedCertificateReloader {
        var settings = configuration(files, every: interval)
        settings.onCertificateLoaded = { change in
            let end = change.currentX509CertificateChain.first?.notValidAfter.timeIntervalSince1970
            expiries?.set(.certificate, ExpiryDates.ownName, end: end.flatMap { Int64(exactly: $0.rounded(.down)) })
            guard let previous = change.previousCertificateChain, previous != change.currentCertificateChain else {
                return
            }
            logger.info("TLS certificate reloaded", metadata: ["auth.path": "\(files.certificateChain)"])
        }
        settings.onCertificateLoadFailed = { failure in
            logger.warning(
                "cannot reload the TLS certificate; the old one stays active",
                metadata: ["auth.path": "\(files.certificateChain)", "auth.error": "\("\(failure.error)".oneLine())"])
        }
        return try TimedCertificateReloader.makeReloaderValidatingSources(configuration: settings)
    }

    /// Reads the files once.
    ///
    /// - Throws: An error if a file cannot be read, or the key does not belong to the certificate.
    static func validated(_ files: TLSFiles) throws -> TimedCertificateReloader {
        try TimedCertificateReloader.makeReloaderValidatingSources(
            configuration: configuration(files, every: .seconds(3600)))
    }

    /// Returns a context for TLS 1.2 and 1.3 with HTTP/2 and HTTP/1.1, which uses the reloader's certificate for every
    /// new connection.
    static func context(_ reloader: TimedCertificateReloader) throws -> NIOSSLContext {
        var configuration = try TLSConfiguration.makeServerConfiguration(certificateReloader: reloader)
        configuration.minimumTLSVersion = .tlsv12
        // What TLS 1.2 has that authenticates what it encrypts, with forward secrecy; TLS 1.3 has nothing else.
        configuration.cipherSuiteValues = [
            .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
            .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
            .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
        ]
        configuration.applicationProtocols = ["h2", "http/1.1"]
        // Browsers do not respond to a close_notify on an idle connection, so a drain would wait 5 s for each.
        configuration.shutdownTimeout = .seconds(1)
        return try NIOSSLContext(configuration: configuration)
    }

    private static func configuration(
        _ files: TLSFiles, every interval: Duration
    ) -> TimedCertificateReloader.Configuration {
        TimedCertificateReloader.Configuration(
            refreshInterval: interval,
            certificateSource: .init(
                location: .memory { try blocks(ofFileAt: files.certificateChain, PEMBlocks.certificates) }, format: .pem
            ),
            privateKeySource: .init(
                location: .memory {
                    try blocks(ofFileAt: files.privateKey) { Array(PEMBlocks.privateKeys(in: $0).prefix(1)) }
                },
                format: .pem))
    }

    /// The blocks of a file that are meant: the reloader takes a file without any others.
    private static func blocks(
        ofFileAt path: String, _ blocks: (String) -> [String]
    ) throws(ConfigurationFileError) -> [UInt8] {
        let text = String(decoding: try ConfigurationFile.read(atPath: path), as: UTF8.self)
        return Array(blocks(text).joined().utf8)
    }
}
