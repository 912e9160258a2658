// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCertificateReloading
import NIOCore
import NIOSSL

/// Makes the reloader of the TLS files: it looks at them again and again, and keeps the last good pair.
enum CertificateReload {
    /// A reloader that has read the files.
    ///
    /// - Throws: where a file cannot be read, or the key is not the certificate's.
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

    /// An error in one line of a log: a space for each control character and each line's end. A TLS library's errors have a
    /// line for each step, and may quote the file.
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
    /// - Throws: where a file cannot be read, or the key is not the certificate's.
    static func validated(_ files: TLSFiles) throws -> TimedCertificateReloader {
        try TimedCertificateReloader.makeReloaderValidatingSources(
            configuration: configuration(files, every: .seconds(3600)))
    }

    /// TLS 1.2 and 1.3, HTTP/2 and HTTP/1.1, with the reloader's certificate for every new connection.
    static func context(_ reloader: TimedCertificateReloader) throws -> NIOSSLContext {
        var configuration = try TLSConfiguration.makeServerConfiguration(certificateReloader: reloader)
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["h2", "http/1.1"]
        // Browsers do not answer a close_notify on an idle connection: without this a drain waits 5 s for each.
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
