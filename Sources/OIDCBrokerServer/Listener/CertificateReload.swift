// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCertificateReloading
import NIOCore
import NIOSSL

/// A factory for the reloader of the TLS files, which reads them periodically and keeps the last valid pair.
enum CertificateReload {
    /// Returns a reloader that has read the files.
    ///
    /// - Throws: An error if a file cannot be read, or the key does not belong to the certificate.
    static func reloader(
        _ files: TLSFiles, every interval: Duration, logger: Logger
    ) throws -> TimedCertificateReloader {
        var settings = configuration(files, every: interval)
        settings.onCertificateLoaded = { change in
            guard let previous = change.previousCertificateChain, previous != change.currentCertificateChain else {
                return
            }
            logger.info("TLS certificate changed", metadata: ["auth.path": "\(files.certificateChain)"])
        }
        settings.onCertificateLoadFailed = { failure in
            logger.warning(
                "TLS certificate could not be read again; the last good one stays in use",
                metadata: ["auth.path": "\(files.certificateChain)", "auth.error": "\(oneLine("\(failure.error)"))"])
        }
        return try TimedCertificateReloader.makeReloaderValidatingSources(configuration: settings)
    }

    /// Returns an error as one line of a log, with a space for each control character and line break. Errors of a TLS
    /// library have several lines and may quote the file.
    static func oneLine(_ error: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in error.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: line.append(" ")
            default: line.append(scalar)
            }
        }
        return String(line)
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
            certificateSource: .init(location: .file(path: files.certificateChain), format: .pem),
            privateKeySource: .init(location: .file(path: files.privateKey), format: .pem))
    }
}
