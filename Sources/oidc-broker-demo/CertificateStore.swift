// SPDX-License-Identifier: Apache-2.0

import Crypto
import OIDCBrokerTesting
import OpenIDRelyingParty
import SwiftASN1
import X509

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A folder with the demo's certificate, so that a user has to accept it in the browser only once.
struct CertificateStore: Sendable {
    /// The names of the certificate.
    static let hosts = ["localhost", "127.0.0.1", "::1"]
    /// The minimum remaining validity in seconds, one day, below which a certificate is replaced.
    private static let leastRemaining: Int64 = 86400

    /// The path of the folder.
    let directory: String
    /// Whether the folder is temporary and is removed after this run.
    let isTemporary: Bool

    /// Creates a store in an existing folder.
    init(directory: String) {
        self.directory = directory
        isTemporary = false
    }

    private init(temporaryDirectory: String) {
        directory = temporaryDirectory
        isTemporary = true
    }

    /// Creates a store in the folder `certs` of the working directory, which a clone of the repository has, or else in
    /// a temporary folder that only this user can read.
    ///
    /// - Throws: An error of the file system.
    static func inWorkingDirectory() throws -> CertificateStore {
        let folder = FileManager.default.currentDirectoryPath + "/certs"
        // With the dot, the check is true only for a folder.
        let exists = FileManager.default.fileExists(atPath: folder + "/.")
        return exists ? CertificateStore(directory: folder) : try temporary()
    }

    /// Creates a store in a new folder in the system's temporary directory.
    ///
    /// - Throws: An error of the file system.
    static func temporary() throws -> CertificateStore {
        CertificateStore(temporaryDirectory: try TemporaryFolder.make().path)
    }

    /// The path of the certificate (PEM).
    var certificatePath: String { directory + "/demo-certificate.pem" }
    /// The path of the private key (PEM), which only this user can read.
    var keyPath: String { directory + "/demo-key.pem" }

    /// Returns the stored certificate if it is still usable, otherwise a new one, which is stored.
    ///
    /// - Throws: ``DemoError``, or an error of making a certificate.
    func certificate(now: Int64 = SystemUnixClock().now()) throws -> DevelopmentCertificate {
        if let kept = kept(), Self.serves(kept, now: now) { return kept }
        let made = try DevelopmentCertificate.make(hosts: Self.hosts, now: now)
        try FileOutput.replaceFile(made.privateKeyPEM, at: keyPath, mode: 0o600)
        try FileOutput.replaceFile(made.certificatePEM, at: certificatePath, mode: 0o644)
        return made
    }

    /// Removes the folder if it is temporary.
    func removeIfTemporary() {
        if isTemporary { try? FileManager.default.removeItem(atPath: directory) }
    }

    private func kept() -> DevelopmentCertificate? {
        guard let certificate = try? String(contentsOfFile: certificatePath, encoding: .utf8),
            let key = try? String(contentsOfFile: keyPath, encoding: .utf8)
        else { return nil }
        return DevelopmentCertificate(certificatePEM: certificate, privateKeyPEM: key)
    }

    /// Whether key and certificate belong together, name the right hosts, and are valid long enough.
    private static func serves(_ kept: DevelopmentCertificate, now: Int64) -> Bool {
        guard let certificate = try? Certificate(pemEncoded: kept.certificatePEM),
            let key = try? P256.Signing.PrivateKey(pemRepresentation: kept.privateKeyPEM),
            certificate.publicKey == Certificate.PublicKey(key.publicKey),
            let names = try? certificate.extensions.subjectAlternativeNames,
            names.contains(.dnsName("localhost")), names.count == hosts.count
        else { return false }
        return certificate.notValidBefore <= Date(timeIntervalSince1970: Double(now))
            && certificate.notValidAfter > Date(timeIntervalSince1970: Double(now + leastRemaining))
    }
}
