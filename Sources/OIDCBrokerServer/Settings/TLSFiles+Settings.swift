// SPDX-License-Identifier: Apache-2.0

import NIOSSL
import OIDCBroker
package import OIDCBrokerConfiguration

/// The keys under `server.tls.`.
extension TLSFiles: SettingSection {
    package static let settings: [Setting<TLSFiles>] = [
        Setting(
            "certificate-chain", \.certificateChain, .text,
            "the PEM file of the certificate chain, the server's certificate first",
            default: "none: plain HTTP, for loopback and proxies only"
        ).check(takes: chain) { files in
            files.privateKey.isEmpty || !files.certificateChain.isEmpty
                ? nil : chain + ", required with \(prefix)private-key"
        }.fixedWhileRunning(),
        Setting(
            "private-key", \.privateKey, .text, "the PEM file of the certificate's private key", default: "none"
        ).check(takes: key) { files in
            files.certificateChain.isEmpty || !files.privateKey.isEmpty
                ? nil : key + ", required with \(prefix)certificate-chain"
        }.fixedWhileRunning(),
    ]

    private static let chain = "the path of a PEM file that can be read, with the server's certificate first"
    private static let key = "the path of a PEM file that can be read, with a private key that is not encrypted"

    /// The prefix of the keys.
    static let prefix = ServerConfiguration.prefix + "tls."

    /// Files whose configuration has not been read yet.
    static let unknown = TLSFiles(certificateChain: "", privateKey: "")

    /// Reads the keys; `nil` if there are none. A missing value is empty and is found by the validation.
    static func read(from values: inout ConfigurationValues) async -> TLSFiles? {
        var files = unknown
        let given = await values.read(&files, prefix: prefix)
        for path in [files.certificateChain, files.privateKey] where !path.isEmpty {
            values.noteFile(path, isReadAgain: true)
        }
        return given.isEmpty ? nil : files
    }

    /// Returns the errors in the files.
    func errors() -> [ConfigurationError] {
        let missing = boundsErrors(prefix: Self.prefix)
        guard missing.isEmpty else { return missing }
        var errors: [ConfigurationError] = []
        var certificates: [NIOSSLCertificate] = []
        var privateKey: NIOSSLPrivateKey?
        switch PEMFile.certificates(atPath: certificateChain) {
        case .success(let found): certificates = found
        case .failure(let problem):
            errors.append(Self.error(\.certificateChain, "\(Self.chain); \(problem.description)"))
        }
        switch PEMFile.privateKey(atPath: self.privateKey) {
        case .success(let found): privateKey = found
        case .failure(let problem): errors.append(Self.error(\.privateKey, "\(Self.key); \(problem.description)"))
        }
        guard errors.isEmpty, let privateKey, (try? CertificateReload.validated(self)) == nil else { return errors }
        return [mismatch(certificates, privateKey)]
    }

    /// The error of a key that does not belong to the first certificate.
    private func mismatch(_ certificates: [NIOSSLCertificate], _ key: NIOSSLPrivateKey) -> ConfigurationError {
        let number = certificates.firstIndex { PEMFile.isPair($0, key) }
        if let number, number > 0 {
            return Self.error(
                \.certificateChain,
                "\(Self.chain); the private key belongs to certificate \(number + 1) of the file, which has to be first"
            )
        }
        return Self.error(
            \.privateKey,
            "the private key that belongs to the first certificate in \(Self.prefix)"
                + Self.key(of: \.certificateChain)
                + (number == nil ? "; this one belongs to no certificate of that file" : ""))
    }

    private static func error(_ member: PartialKeyPath<TLSFiles>, _ expected: String) -> ConfigurationError {
        error(member, prefix: prefix, expected: expected)
    }

    /// An error for the file of the private key, if users other than its owner and its group can read or write it.
    var exposedPrivateKey: ConfigurationError? {
        ConfigurationFile.exposure(ofSecretFileAtPath: privateKey, key: Self.prefix + Self.key(of: \.privateKey))
    }
}
