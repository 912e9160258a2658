// SPDX-License-Identifier: Apache-2.0

import NIOSSL
public import OIDCBroker
import OpenIDConnect

extension ServerConfiguration {
    /// Everything that is wrong, the contents of the TLS files included; empty for a configuration that can be served.
    public func validate() -> [ConfigurationError] {
        var errors: [ConfigurationError] = []
        if host.isEmpty || !host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            errors.append(.init(key: "server.host", expected: "an address or a host name"))
        } else if tls == nil, !isLoopback {
            errors.append(
                .init(
                    key: "server.host",
                    expected: "a loopback address, or server.tls.certificate-chain and server.tls.private-key: plain "
                        + "HTTP is for loopback only"))
        }
        if !(0...65535).contains(port) {
            errors.append(.init(key: "server.port", expected: Self.portExpectation))
        }
        return errors + (tls?.errors() ?? [])
    }

    /// What a port is; completes the sentence "expected …".
    static let portExpectation = "a whole number, 0 to 65535"

    /// Whether only this machine can connect.
    var isLoopback: Bool {
        AbsoluteURL.isLoopback(host: host.lowercased())
    }
}

extension TLSFiles {
    /// What is wrong with the files.
    func errors() -> [ConfigurationError] {
        let chain = ConfigurationFile.contents(atPath: certificateChain)
        let key = ConfigurationFile.contents(atPath: privateKey)
        var errors: [ConfigurationError] = []
        if (try? chain.map { try NIOSSLCertificate.fromPEMBytes($0) })?.isEmpty ?? true {
            errors.append(
                .init(
                    key: "server.tls.certificate-chain",
                    expected: "the path of a PEM file that can be read, with the server's certificate first"))
        }
        if (try? key.map { try NIOSSLPrivateKey(bytes: $0, format: .pem) }) == nil {
            errors.append(
                .init(
                    key: "server.tls.private-key",
                    expected: "the path of a PEM file that can be read, with a private key that is not encrypted"))
        }
        if errors.isEmpty, (try? CertificateReload.validated(self)) == nil {
            errors.append(
                .init(
                    key: "server.tls.private-key",
                    expected: "the private key that belongs to the first certificate in server.tls.certificate-chain"))
        }
        return errors
    }
}
