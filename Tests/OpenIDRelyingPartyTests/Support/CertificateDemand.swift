// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOSSL
import OIDCBrokerTesting
import Synchronization

/// TLS for a ``ScriptedServer`` that asks its clients for a certificate, and keeps what they showed.
final class CertificateDemand: Sendable {
    private let context: NIOSSLContext
    private let accepted: [UInt8]
    private let seen = Mutex<[[UInt8]]>([])

    /// - Parameters:
    ///   - server: the server's own certificate.
    ///   - client: the only certificate it accepts.
    ///   - maximumVersion: the newest version of TLS; `nil` for no limit.
    init(
        server: DevelopmentCertificate, client: DevelopmentCertificate, maximumVersion: TLSVersion? = nil
    ) throws {
        let chain = try NIOSSLCertificate.fromPEMBytes(Array(server.certificatePEM.utf8))
        let key = try NIOSSLPrivateKey(bytes: Array(server.privateKeyPEM.utf8), format: .pem)
        let clients = try NIOSSLCertificate.fromPEMBytes(Array(client.certificatePEM.utf8))
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.certificateVerification = .noHostnameVerification
        configuration.trustRoots = .certificates(clients)
        configuration.maximumTLSVersion = maximumVersion
        context = try NIOSSLContext(configuration: configuration)
        accepted = try clients.first?.toDERBytes() ?? []
    }

    /// What the clients showed, DER bytes, in their order.
    var shown: [[UInt8]] { seen.withLock { $0 } }

    /// What a client must show, DER bytes.
    var demanded: [UInt8] { accepted }

    /// Speaks TLS on a new connection.
    func prepare(_ channel: any Channel) throws {
        let handler = NIOSSLServerHandler(
            context: context,
            customVerificationCallback: { [self] certificates, promise in
                let bytes = (try? certificates.first?.toDERBytes()) ?? []
                seen.withLock { $0.append(bytes) }
                promise.succeed(bytes == accepted ? .certificateVerified : .failed)
            })
        try channel.pipeline.syncOperations.addHandler(handler)
    }
}
