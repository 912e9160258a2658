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

/// Keeps the demo's certificate in a folder, so that a browser has to be told only once that it is all right.
struct CertificateStore: Sendable {
    /// What the certificate stands for.
    static let hosts = ["localhost", "127.0.0.1", "::1"]
    /// A certificate with less than a day left, in seconds, is made anew.
    private static let leastRemaining: Int64 = 86400

    /// The folder.
    let directory: String
    /// Whether the folder was made for this run and goes with it.
    let isTemporary: Bool

    /// A store in a folder that exists and stays.
    init(directory: String) {
        self.directory = directory
        isTemporary = false
    }

    private init(temporaryDirectory: String) {
        directory = temporaryDirectory
        isTemporary = true
    }

    /// The folder `certs` of the working directory, as in a clone of the repository; elsewhere a temporary folder that
    /// only this user can read.
    ///
    /// - Throws: an error of the file system.
    static func inWorkingDirectory() throws -> CertificateStore {
        let folder = FileManager.default.currentDirectoryPath + "/certs"
        // The dot: true for a folder only.
        let exists = FileManager.default.fileExists(atPath: folder + "/.")
        return exists ? CertificateStore(directory: folder) : try temporary()
    }

    /// A store in a folder of its own under the system's temporary directory.
    ///
    /// - Throws: an error of the file system.
    static func temporary() throws -> CertificateStore {
        let path = FileManager.default.temporaryDirectory.path + "/oidc-broker-demo-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        return CertificateStore(temporaryDirectory: path)
    }

    /// The path of the certificate, PEM.
    var certificatePath: String { directory + "/demo-certificate.pem" }
    /// The path of its private key, PEM, readable by this user only.
    var keyPath: String { directory + "/demo-key.pem" }

    /// The certificate that is kept, where it still serves; else a new one, which is kept from then on.
    ///
    /// - Throws: ``DemoError``, or an error of making a certificate.
    func certificate(now: Int64 = SystemUnixClock().now()) throws -> DevelopmentCertificate {
        if let kept = kept(), Self.serves(kept, now: now) { return kept }
        let made = try DevelopmentCertificate.make(hosts: Self.hosts, now: now)
        try FileOutput.replaceFile(made.privateKeyPEM, at: keyPath, mode: 0o600)
        try FileOutput.replaceFile(made.certificatePEM, at: certificatePath, mode: 0o644)
        return made
    }

    /// Removes the folder if it was made for this run.
    func removeIfTemporary() {
        if isTemporary { try? FileManager.default.removeItem(atPath: directory) }
    }

    private func kept() -> DevelopmentCertificate? {
        guard let certificate = try? String(contentsOfFile: certificatePath, encoding: .utf8),
            let key = try? String(contentsOfFile: keyPath, encoding: .utf8)
        else { return nil }
        return DevelopmentCertificate(certificatePEM: certificate, privateKeyPEM: key)
    }

    /// Whether key and certificate belong together, name the right hosts, and are valid for a while.
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
