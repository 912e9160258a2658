// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
public import NIOCore
import NIOHTTP1
import NIOSSL
package import OpenIDConnect
import Synchronization

/// Requests to providers through AsyncHTTPClient, pinned to the caller's event loop: no thread is changed on the way.
///
/// One client for each trust and loop, made at its first use; connections are kept alive. ``shutdown()`` must be
/// called before the transport is let go.
public final class AsyncHTTPClientTransport: ProviderTransport {
    /// One client for each event loop. A client on a group keeps no connection alive that was opened for a request that
    /// must stay on one of its loops (measured: 600 to 1,000 new connections for 1,000 requests); a client on one loop
    /// keeps all of them.
    private struct Pool: Hashable {
        let trust: ProviderTrust
        let loop: ObjectIdentifier
    }

    private typealias Deadlines = RequestDeadlines<HTTPClient.Task<ProviderResponse>>

    /// A client, and the deadlines of its loop's requests.
    private struct Carrier {
        let client: HTTPClient
        let deadlines: NIOLoopBoundBox<Deadlines>
    }

    private struct Endpoint: Hashable {
        let url: String
        let isPost: Bool
    }

    private struct State {
        var carriers: [Pool: Carrier] = [:]
        /// Parsing a URL costs more than sending a request: each endpoint is parsed once.
        var templates: [Endpoint: HTTPClient.Request] = [:]
        var isShutDown = false
    }

    /// The most endpoints that are remembered; beyond it they are parsed each time.
    private static let maximumTemplates = 4096
    /// The longest answer to a post whose body nobody reads, bytes.
    private static let maximumPostResponse = 65_536
    /// How long a connection is kept without a request: shorter than the 5 s of Apache and Node, the shortest that are
    /// common, since AsyncHTTPClient knows one time for all servers.
    private static let idleTimeout = TimeAmount.seconds(4)
    /// How long a connection attempt may take.
    private static let connectTimeout = TimeAmount.seconds(4)

    private let group: any EventLoopGroup
    private let loops: Set<ObjectIdentifier>
    private let state = Mutex(State())

    /// A transport whose connections live on the given group: the server's own, so that requests stay on their loop.
    public init(eventLoopGroup: any EventLoopGroup) {
        group = eventLoopGroup
        loops = Set(eventLoopGroup.makeIterator().map { ObjectIdentifier($0) })
    }

    public func execute(_ request: ProviderRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ProviderResponse> {
        // A loop that is not of the group's kind, as in an embedder's test, borrows one that is.
        let loop = loops.contains(ObjectIdentifier(eventLoop)) ? eventLoop : group.any()
        let carrier: Carrier
        var message: HTTPClient.Request
        do {
            (carrier, message) = try prepare(request, on: loop)
        } catch {
            return eventLoop.makeFailedFuture(ProviderTransportError(classifying: error))
        }
        message.headers = [
            "accept": "application/json", "accept-encoding": "identity", "user-agent": "swift-oidc-broker",
        ]
        if let authorization = request.authorization {
            message.headers.add(name: "authorization", value: authorization)
        }
        if let form = request.form {
            message.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
            message.body = .byteBuffer(ByteBuffer(string: form))
        }
        let promise = eventLoop.makePromise(of: ProviderResponse.self)
        let prepared = message
        // Behind all that this turn of the loop answers: the client's code is as large as the broker's own.
        loop.execute {
            Self.send(prepared, request, carrier, on: loop, isSecond: false) { result in
                // Behind all that this turn of the loop reads; see `NIOClientConnection.settle(reuses:)`.
                eventLoop.execute { promise.completeWith(result.mapError { ProviderTransportError(classifying: $0) }) }
            }
        }
        return promise.futureResult
    }

    /// - Parameter isSecond: whether it was sent before, on a connection that ended: it is not sent a third time.
    private static func send(
        _ message: HTTPClient.Request, _ request: ProviderRequest, _ carrier: Carrier, on loop: any EventLoop,
        isSecond: Bool, _ answered: @escaping @Sendable (Result<ProviderResponse, any Error>) -> Void
    ) {
        let delegate = BoundedResponseDelegate(
            maximumBytes: request.maximumResponseBytes, isDocument: request.form == nil)
        let task = carrier.client.execute(request: message, delegate: delegate, eventLoop: .delegate(on: loop))
        let (ticket, timer) = carrier.deadlines.value.add(task, deadline: request.deadline)
        if let timer { setTimer(timer, carrier.deadlines, loop) }
        task.futureResult.whenComplete { result in
            carrier.deadlines.value.remove(ticket)
            // A GET asks the provider to do nothing; of a POST nothing may have been written.
            if case .failure(let error) = result, !isSecond, ProviderTransportError.isEndOfConnection(error),
                request.form == nil ? !delegate.isAnswered : !delegate.isBegun, request.deadline > loop.now
            {
                return loop.execute { send(message, request, carrier, on: loop, isSecond: true, answered) }
            }
            answered(result)
        }
    }

    private static func setTimer(
        _ deadline: NIODeadline, _ deadlines: NIOLoopBoundBox<Deadlines>, _ loop: any EventLoop
    ) {
        loop.scheduleTask(deadline: deadline) {
            let (due, next) = deadlines.value.timerFired(at: loop.now)
            for task in due { task.fail(reason: HTTPClientError.deadlineExceeded) }
            if let next { setTimer(next, deadlines, loop) }
        }
    }

    /// Posts bytes to an address that the operator named, which may be a private one; gives the status. Sent once.
    package func post(
        _ body: [UInt8],
        to url: AbsoluteURL,
        fields: [(name: String, value: String)],
        deadline: NIODeadline,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<Int> {
        let loop = loops.contains(ObjectIdentifier(eventLoop)) ? eventLoop : group.any()
        let carrier: Carrier
        var message: HTTPClient.Request
        do {
            let request = ProviderRequest(
                url: url, form: "", maximumResponseBytes: Self.maximumPostResponse, deadline: deadline,
                trust: ProviderTrust(certificateAuthorities: nil, addresses: .any))
            (carrier, message) = try prepare(request, on: loop)
        } catch {
            return eventLoop.makeFailedFuture(ProviderTransportError(classifying: error))
        }
        message.headers = ["accept-encoding": "identity", "user-agent": "swift-oidc-broker"]
        for field in fields { message.headers.add(name: field.name, value: field.value) }
        message.body = .byteBuffer(ByteBuffer(bytes: body))
        let task = carrier.client.execute(
            request: message,
            delegate: BoundedResponseDelegate(maximumBytes: Self.maximumPostResponse, isDocument: false),
            eventLoop: .delegate(on: loop),
            deadline: deadline)
        return task.futureResult.hop(to: eventLoop).map(\.status).flatMapErrorThrowing { error in
            throw ProviderTransportError(classifying: error)
        }
    }

    /// Closes all connections. Call it once, after the last request.
    public func shutdown() async throws {
        let carriers = state.withLock { state in
            state.isShutDown = true
            defer { state.carriers = [:] }
            return Array(state.carriers.values)
        }
        for carrier in carriers { try await carrier.client.shutdown() }
    }

    private func prepare(
        _ request: ProviderRequest, on loop: any EventLoop
    ) throws -> (Carrier, HTTPClient.Request) {
        try state.withLock { state in
            guard !state.isShutDown else { throw ProviderTransportError.interrupted }
            if request.trust.proxy != nil { try Self.checkHost(request) }
            let carrier: Carrier
            let pool = Pool(trust: request.trust, loop: ObjectIdentifier(loop))
            if let known = state.carriers[pool] {
                carrier = known
            } else {
                carrier = Carrier(
                    client: try makeClient(request.trust, on: loop),
                    deadlines: .makeBoxSendingValue(Deadlines(), eventLoop: loop))
                state.carriers[pool] = carrier
            }
            let key = Endpoint(url: request.url.text, isPost: request.form != nil)
            if let template = state.templates[key] { return (carrier, template) }
            let template = try HTTPClient.Request(url: key.url, method: key.isPost ? .POST : .GET)
            if state.templates.count < Self.maximumTemplates { state.templates[key] = template }
            return (carrier, template)
        }
    }

    private func makeClient(_ trust: ProviderTrust, on loop: any EventLoop) throws -> HTTPClient {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if let pem = trust.certificateAuthorities {
            guard let certificates = try? NIOSSLCertificate.fromPEMBytes(pem), !certificates.isEmpty else {
                throw ProviderTransportError.unusableTrust
            }
            tls.trustRoots = .certificates(certificates)
        }
        if let certificate = trust.clientCertificate { try certificate.apply(to: &tls) }
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls,
            redirectConfiguration: .disallow,
            timeout: .init(connect: Self.connectTimeout),
            decompression: .disabled)
        configuration.httpVersion = .http1Only
        configuration.tracing.tracer = nil
        configuration.connectionPool.idleTimeout = Self.idleTimeout
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 256
        // A refused connection is a response; trying on until the deadline would hold the browser that long.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.proxy = trust.proxy.map { .server(host: $0.host, port: $0.port) }
        // The connected address is the proxy's own then.
        let addresses = trust.proxy == nil ? trust.addresses : nil
        configuration.http1_1ConnectionDebugInitializer = { channel in
            Self.prepare(channel, addresses)
        }
        return HTTPClient(eventLoopGroupProvider: .shared(loop), configuration: configuration)
    }

    /// What can be validated of an address that a proxy connects to: the host, where it is a literal or says what it is.
    private static func checkHost(_ request: ProviderRequest) throws(ProviderTransportError) {
        let isRefused =
            switch request.trust.addresses {
            case .any: ConnectedAddress.isLinkLocalHost(request.url.host)
            case .publicOnly: ConnectedAddress.isPrivateHost(request.url.host)
            case .privateOnly:
                ConnectedAddress.isLinkLocalHost(request.url.host)
                    || !ConnectedAddress.isPrivateHost(request.url.host)
            }
        if isRefused { throw .addressRefused }
    }

    /// Runs on a new connection before it is given its first request.
    /// - Parameter addresses: `nil` if the connection is a proxy's.
    private static func prepare(
        _ channel: any Channel, _ addresses: ProviderTrust.Addresses?
    ) -> EventLoopFuture<Void> {
        if let addresses, !ConnectedAddress.isAllowed(channel.remoteAddress, addresses) {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(ProviderTransportError.addressRefused)
        }
        return channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            guard let tls = try? pipeline.handler(type: NIOSSLClientHandler.self) else {
                return try pipeline.addHandler(FlushCoalescingHandler(), position: .first)
            }
            try pipeline.addHandler(FlushCoalescingHandler(), position: .after(tls))
            guard let certificate = tls.peerCertificate else { throw ProviderTransportError.untrusted }
            guard CertificateStrength.isSufficient(certificate) else { throw ProviderTransportError.weakCertificate }
            let identity = ServiceIdentity(certificate)
            if identity.mayRest(on: channel.remoteAddress) {
                let encoder = try pipeline.handler(type: HTTPRequestEncoder.self)
                try pipeline.addHandler(ServiceIdentityHandler(identity), position: .after(encoder))
            }
        }
    }
}
