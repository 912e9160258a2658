// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOSSL
import OIDCBrokerConfiguration
import OpenIDRelyingParty

/// A reader of files with certificates or a key, which says why one cannot be used.
enum PEMFile {
    /// The reason why a file cannot be used, with its path, as a sentence without a full stop.
    struct Problem: Error, Sendable, CustomStringConvertible {
        let description: String
    }

    /// Reads the certificates in a file.
    static func certificates(atPath path: String) -> Result<[NIOSSLCertificate], Problem> {
        read(path).flatMap { bytes in
            let certificates = NIOSSLCertificate.certificates(inPEM: bytes)
            // The certificate behind the mark is not read, and those that follow are.
            let isMarked =
                PrivateKeyProblem.hasByteOrderMark(bytes) && bytes.dropFirst(3).starts(with: "-----BEGIN ".utf8)
            if !certificates.isEmpty, !isMarked { return .success(certificates) }
            return .failure(problem(path, certificateProblem(String(decoding: bytes, as: UTF8.self))))
        }
    }

    /// Reads the private key in a file.
    static func privateKey(atPath path: String) -> Result<NIOSSLPrivateKey, Problem> {
        read(path).flatMap { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            if let key = NIOSSLPrivateKey.privateKey(inPEM: text) { return .success(key) }
            let reason = PrivateKeyProblem(text, kinds: [.p256, .p384, .p521, .rsa, .ed25519])
            return .failure(problem(path, "\(reason)"))
        }
    }

    /// Whether a key belongs to a certificate.
    static func isPair(_ certificate: NIOSSLCertificate, _ key: NIOSSLPrivateKey) -> Bool {
        let configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(certificate)], privateKey: .privateKey(key))
        return (try? NIOSSLContext(configuration: configuration)) != nil
    }

    private static func read(_ path: String) -> Result<[UInt8], Problem> {
        do throws(ConfigurationFileError) {
            let bytes = try ConfigurationFile.read(atPath: path)
            return bytes.isEmpty ? .failure(problem(path, "is empty")) : .success(bytes)
        } catch {
            return .failure(Problem(description: "\(ConfigurationFileError.shown(path)): \(error)"))
        }
    }

    private static func problem(_ path: String, _ reason: String) -> Problem {
        Problem(description: "\(ConfigurationFileError.shown(path)) \(reason)")
    }

    private static func certificateProblem(_ text: String) -> String {
        if PrivateKeyProblem.hasByteOrderMark(text.utf8) { return PrivateKeyProblem.byteOrderMark }
        guard text.contains("-----BEGIN ") else { return "is not PEM: it has no '-----BEGIN CERTIFICATE-----' line" }
        if text.contains("-----BEGIN CERTIFICATE-----") { return "has a certificate that is damaged or incomplete" }
        if text.contains("PRIVATE KEY-----") { return "is a private key, not a certificate" }
        return text.contains("CERTIFICATE REQUEST-----")
            ? "is a certificate request, not a certificate" : "has no certificate"
    }
}

extension Result where Failure == PEMFile.Problem {
    /// The reason why the file cannot be used; `nil` if it can.
    var problem: PEMFile.Problem? {
        guard case .failure(let problem) = self else { return nil }
        return problem
    }
}
