// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import NIOPosix
package import NIOSSL
import NIOTLS

/// The certificate that a server presents, for a diagnosis. No byte is sent after the handshake.
package struct PeerCertificate: Sendable {
    /// The server's own certificate, the first of its chain.
    package let certificate: NIOSSLCertificate
    /// Whether the connected address is not a public one.
    package let isPrivate: Bool

    /// Connects to a server, makes the handshake, and closes the connection.
    /// - Parameters:
    ///   - host: A DNS name or an address, without brackets.
    ///   - certificateAuthorities: The certificate authorities to trust instead of the system's, as PEM bytes.
    ///   - clientCertificate: The certificate that is shown to a server that asks for one; `nil` to show none.
    ///   - verifies: Whether the certificate is verified. Only to say what is wrong with one that is not trusted it is not.
    ///   - addresses: The addresses that may be connected to, which is checked before the first byte is sent.
    ///   - deadline: The deadline of everything.
    /// - Returns: A future on the given event loop that fails with ``ProviderTransportError``.
    package static func fetch(
        host: String, port: Int, certificateAuthorities: [UInt8]?, clientCertificate: ClientCertificate? = nil,
        verifies: Bool = true, addresses: ProviderTrust.Addresses, deadline: NIODeadline, on eventLoop: any EventLoop
    ) -> EventLoopFuture<PeerCertificate> {
        let context: NIOSSLContext
        do {
            context = try Self.context(certificateAuthorities, clientCertificate, verifies: verifies)
        } catch {
            return eventLoop.makeFailedFuture(ProviderTransportError(classifying: error))
        }
        let promise = eventLoop.makePromise(of: PeerCertificate.self)
        let timer = eventLoop.scheduleTask(deadline: deadline) { promise.fail(ProviderTransportError.timedOut) }
        promise.futureResult.whenComplete { _ in timer.cancel() }
        ClientBootstrap(group: eventLoop)
            .connectTimeout(max(deadline - NIODeadline.now(), .milliseconds(1)))
            .channelOption(.autoRead, value: false)
            .connect(host: host, port: port)
            .flatMap { channel -> EventLoopFuture<Void> in
                promise.futureResult.whenComplete { _ in channel.close(promise: nil) }
                do {
                    guard ConnectedAddress.isAllowed(channel.remoteAddress, addresses) else {
                        throw ProviderTransportError.addressRefused
                    }
                    // An IP address is not sent in SNI, so the certificate must be for the connected address.
                    let isAddress = (try? SocketAddress(ipAddress: host, port: 1)) != nil
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(
                        NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host))
                    try pipeline.addHandler(PeerCertificateHandler(promise))
                } catch {
                    return channel.eventLoop.makeFailedFuture(error)
                }
                return channel.setOption(.autoRead, value: true)
            }
            .whenFailure { promise.fail($0) }
        return promise.futureResult.flatMapErrorThrowing { throw ProviderTransportError(classifying: $0) }
    }

    private static func context(
        _ certificateAuthorities: [UInt8]?, _ clientCertificate: ClientCertificate?, verifies: Bool
    ) throws -> NIOSSLContext {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.applicationProtocols = ["http/1.1"]
        tls.certificateVerification = verifies ? .fullVerification : .none
        if let pem = certificateAuthorities {
            let certificates = NIOSSLCertificate.certificates(inPEM: pem)
            guard !certificates.isEmpty else { throw ProviderTransportError.unusableTrust }
            tls.trustRoots = .certificates(certificates)
        }
        try clientCertificate?.apply(to: &tls)
        return try NIOSSLContext(configuration: tls)
    }
}

/// A handler that reports the certificate of a connection once its handshake is complete.
private final class PeerCertificateHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let promise: EventLoopPromise<PeerCertificate>

    init(_ promise: EventLoopPromise<PeerCertificate>) {
        self.promise = promise
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent {
            let tls = try? context.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self)
            if let certificate = tls?.peerCertificate {
                promise.succeed(
                    PeerCertificate(
                        certificate: certificate,
                        isPrivate: !ConnectedAddress.isAllowed(context.channel.remoteAddress, .publicOnly)))
            } else {
                promise.fail(ProviderTransportError.untrusted)
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Nothing that the server sends is of interest.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise.fail(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.fail(ProviderTransportError.interrupted)
        context.fireChannelInactive()
    }
}

@available(*, unavailable)
extension PeerCertificateHandler: Sendable {}
