// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import EventLoopTicks
public import NIOCore
import NIOHTTP1
import NIOSSL
import OpenIDConnect
import Synchronization

/// A transport that sends requests through AsyncHTTPClient on the caller's event loop, without a change of thread.
///
/// There is one client for each trust and event loop, created when it is first used, and connections are kept alive.
/// Call ``shutdown()`` before the transport is released.
public final class AsyncHTTPClientTransport: ProviderTransport {
    /// The key of a client: its trust and its event loop. A client for a whole group does not reuse a connection that
    /// was opened for a request bound to one of the loops, while a client for a single loop reuses all of its
    /// connections.
    private struct Pool: Hashable {
        let trust: ProviderTrust
        let loop: ObjectIdentifier
    }

    private typealias Deadlines = RequestDeadlines<HTTPClient.Task<ProviderResponse>>

    /// A client with the deadlines of its event loop's requests.
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
        /// The parsed requests by endpoint: parsing a URL costs more than sending a request, so each endpoint is parsed
        /// once.
        var templates: [Endpoint: HTTPClient.Request] = [:]
        var isShutDown = false
    }

    /// The maximum number of endpoints that are remembered. Further ones are parsed for each request.
    private static let maximumTemplates = 4096
    /// The time for which an idle connection is kept. AsyncHTTPClient has one value for all servers, so it is below the
    /// 5 s of Apache and Node.js, the shortest common keep-alive timeout.
    private static let idleTimeout = TimeAmount.seconds(4)
    /// The time limit of a connection attempt.
    private static let connectTimeout = TimeAmount.seconds(4)

    private let group: any EventLoopGroup
    private let loops: Set<ObjectIdentifier>
    private let state = Mutex(State())

    /// Creates a transport whose connections use the given group. Pass the server's own group, so that requests stay on
    /// their event loop.
    public init(eventLoopGroup: any EventLoopGroup) {
        group = eventLoopGroup
        loops = Set(eventLoopGroup.makeIterator().map { ObjectIdentifier($0) })
    }

    public func execute(_ request: ProviderRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ProviderResponse> {
        // An event loop outside the group, as in an embedder's test, is replaced by one of the group.
        let loop = loops.contains(ObjectIdentifier(eventLoop)) ? eventLoop : group.any()
        let carrier: Carrier
        var message: HTTPClient.Request
        do {
            (carrier, message) = try prepare(request, on: loop)
        } catch {
            return eventLoop.makeFailedFuture(ProviderTransportError(classifying: error))
        }
        message.headers = [
            "accept": request.accept, "accept-encoding": "identity", "user-agent": "swift-oidc-broker",
        ]
        if let authorization = request.authorization {
            message.headers.add(name: "authorization", value: authorization)
        }
        for field in request.additionalFields { message.headers.add(name: field.name, value: field.value) }
        switch request.content {
        case .form(let form):
            message.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
            message.body = .byteBuffer(ByteBuffer(string: form))
        case .bytes(let bytes, let fields):
            for field in fields { message.headers.add(name: field.name, value: field.value) }
            message.body = .byteBuffer(ByteBuffer(bytes: bytes))
        case nil:
            break
        }
        let promise = eventLoop.makePromise(of: ProviderResponse.self)
        let prepared = message
        EndOfTick.submit(to: loop) {
            Self.send(prepared, request, carrier, on: loop, isSecond: false) { result in
                EndOfTick.submit(to: eventLoop) {
                    promise.completeWith(result.mapError { ProviderTransportError(classifying: $0) })
                }
            }
        }
        return promise.futureResult
    }

    /// Sends a prepared request, and sends it again if a reused connection ended.
    /// - Parameter isSecond: Whether the request was already sent on a connection that ended. It is not sent a third
    ///   time.
    private static func send(
        _ message: HTTPClient.Request, _ request: ProviderRequest, _ carrier: Carrier, on loop: any EventLoop,
        isSecond: Bool, _ answered: @escaping @Sendable (Result<ProviderResponse, any Error>) -> Void
    ) {
        let delegate = BoundedResponseDelegate(request)
        let task = carrier.client.execute(request: message, delegate: delegate, eventLoop: .delegate(on: loop))
        let (ticket, timer) = carrier.deadlines.value.add(task, deadline: request.deadline)
        if let timer { setTimer(timer, carrier.deadlines, loop) }
        task.futureResult.whenComplete { result in
            carrier.deadlines.value.remove(ticket)
            // A GET has no effect at the provider and may be sent again. A POST may only if nothing of it was written.
            if case .failure(let error) = result, !isSecond, ProviderTransportError.isEndOfConnection(error),
                request.content == nil ? !delegate.isAnswered : !delegate.isBegun, request.deadline > loop.now
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

    /// Closes all connections. Call this once, after the last request.
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
            let key = Endpoint(url: request.url.text, isPost: request.content != nil)
            if let template = state.templates[key] { return (carrier, template) }
            let template = try HTTPClient.Request(url: key.url, method: key.isPost ? .POST : .GET)
            if state.templates.count < Self.maximumTemplates { state.templates[key] = template }
            return (carrier, template)
        }
    }

    private func makeClient(_ trust: ProviderTrust, on loop: any EventLoop) throws -> HTTPClient {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: try trust.tlsConfiguration(),
            redirectConfiguration: .disallow,
            timeout: .init(connect: Self.connectTimeout),
            decompression: .disabled)
        configuration.httpVersion = .http1Only
        configuration.tracing.tracer = nil
        configuration.connectionPool.idleTimeout = Self.idleTimeout
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 256
        // A refused connection is final: retrying until the deadline would keep the user agent waiting that long.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.proxy = trust.proxy.map { .server(host: $0.host, port: $0.port) }
        // With a proxy, the connected address is the proxy's own.
        let addresses = trust.proxy == nil ? trust.addresses : nil
        configuration.http1_1ConnectionDebugInitializer = { channel in
            Self.prepare(channel, addresses)
        }
        return HTTPClient(eventLoopGroupProvider: .shared(loop), configuration: configuration)
    }

    /// Validates what is known of an address that a proxy connects to: the host, if it is an address literal or a
    /// private name.
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

    /// Prepares a new connection before its first request.
    /// - Parameter addresses: The addresses that are allowed; `nil` if the connection leads to a proxy.
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
            guard let identity = ServiceIdentity(certificate) else { throw ProviderTransportError.untrusted }
            if identity.mayRest(on: channel.remoteAddress) {
                let encoder = try pipeline.handler(type: HTTPRequestEncoder.self)
                try pipeline.addHandler(ServiceIdentityHandler(identity), position: .after(encoder))
            }
        }
    }
}
