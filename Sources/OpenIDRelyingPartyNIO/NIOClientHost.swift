// SPDX-License-Identifier: Apache-2.0

import EventLoopTicks
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import OpenIDRelyingParty

/// The connections of one event loop to one destination.
final class NIOClientHost {
    private struct Waiting {
        let request: ProviderRequest
        let promise: EventLoopPromise<ProviderResponse>
        let timer: Scheduled<Void>
    }

    /// The maximum number of connections. Further requests wait for one.
    static let maximumConnections = 256
    /// The `Host` of every request.
    let authority: String
    private let destination: NIOClientPool.Destination
    private let loop: any EventLoop
    private let contexts: TLSContexts
    private let lookups: HostLookups
    /// How long a connection attempt may take.
    let connectTimeout: TimeAmount
    private var connections: [ObjectIdentifier: NIOClientConnection] = [:]
    private var idle: [NIOClientConnection] = []
    private var waiting = WaitingRequests<Waiting>()
    private var isShutDown = false
    private var idleLifetime = IdleLifetime()

    init(
        _ destination: NIOClientPool.Destination, authority: String, loop: any EventLoop, contexts: TLSContexts,
        lookups: HostLookups, connectTimeout: TimeAmount
    ) {
        self.connectTimeout = connectTimeout
        self.lookups = lookups
        self.destination = destination
        self.authority = authority
        self.loop = loop
        self.contexts = contexts
    }

    /// Whether there is no connection and no waiting request.
    var isUnused: Bool { connections.isEmpty && waiting.count == 0 }

    func execute(_ request: ProviderRequest, _ promise: EventLoopPromise<ProviderResponse>) {
        // The connection used last is the least likely to be closed by the provider now.
        if let connection = idle.popLast() {
            if let since = connection.idleSince, loop.now - since < idleLimit {
                return connection.send(request, promise)
            }
            // The other connections have been idle for longer.
            let old = idle + [connection]
            idle = []
            for connection in old { connection.close() }
        }
        if connections.count < Self.maximumConnections {
            connect(for: request, promise)
        } else {
            wait(request, promise)
        }
    }

    /// The time for which a connection may be idle.
    var idleLimit: TimeAmount { idleLifetime.limit(at: loop.now) }

    /// Records the `Keep-Alive` field of a response, and returns whether its connection may be reused.
    func keepsConnection(afterResponse keepAlive: String?) -> Bool {
        idleLifetime.answered(keepAlive: keepAlive)
        return idleLimit > .zero
    }

    /// Records that the provider closed a connection that had been idle for this long.
    func ended(afterIdle idle: TimeAmount) {
        idleLifetime.ended(afterIdle: idle, at: loop.now)
    }

    /// Sends a request on a new connection that replaces one that ended.
    func sendAgain(
        _ request: ProviderRequest, _ promise: EventLoopPromise<ProviderResponse>, insteadOn ended: NIOClientConnection
    ) {
        idle.removeAll { $0 === ended }
        guard !isShutDown, connections.removeValue(forKey: ObjectIdentifier(ended)) != nil else {
            return promise.fail(ProviderTransportError.interrupted)
        }
        guard request.deadline > loop.now else { return promise.fail(ProviderTransportError.timedOut) }
        connect(for: request, promise)
    }

    /// Makes a connection available to the next request.
    func released(_ connection: NIOClientConnection) {
        guard !isShutDown else { return connection.close() }
        guard let next = waiting.popFirst() else { return idle.append(connection) }
        next.timer.cancel()
        connection.send(next.request, next.promise)
    }

    /// Removes a connection that was closed or could not be made.
    func closed(_ connection: NIOClientConnection) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        idle.removeAll { $0 === connection }
        guard !isShutDown, let next = waiting.popFirst() else { return }
        next.timer.cancel()
        connect(for: next.request, next.promise)
    }

    func shutdown() {
        isShutDown = true
        idle = []
        let open = Array(connections.values)
        let left = waiting.removeAll()
        for connection in open { connection.fail(ProviderTransportError.interrupted) }
        for one in left {
            one.timer.cancel()
            one.promise.fail(ProviderTransportError.interrupted)
        }
    }

    private func wait(_ request: ProviderRequest, _ promise: EventLoopPromise<ProviderResponse>) {
        let loop = loop
        let isWaiting = waiting.append { number in
            let timer = loop.assumeIsolated().scheduleTask(deadline: request.deadline) {
                guard let late = self.waiting.remove(number) else { return }
                late.promise.fail(ProviderTransportError.timedOut)
            }
            return Waiting(request: request, promise: promise, timer: timer)
        }
        if !isWaiting { promise.fail(ProviderTransportError.tooManyWaiting) }
    }

    private func connect(for request: ProviderRequest, _ promise: EventLoopPromise<ProviderResponse>) {
        let coalescing = FlushCoalescingHandler()
        let connection = NIOClientConnection(
            host: self, name: destination.host, loop: loop, coalescing: coalescing)
        connections[ObjectIdentifier(connection)] = connection
        // The request waits in the connection until it is established, and its deadline already counts.
        connection.send(request, promise)
        let context: NIOSSLContext?
        do {
            context = destination.isTLS ? try contexts.context(for: destination.trust) : nil
        } catch {
            return connection.fail(error)
        }
        let host = destination.host
        let addresses = destination.trust.addresses
        let bound = NIOLoopBound((connection, coalescing), eventLoop: loop)
        ClientBootstrap(group: loop)
            .resolver(HostResolver(lookups.addresses(of: host, owner: destination.owner, on: loop)))
            .connectTimeout(min(connectTimeout, request.deadline - loop.now))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            // Several addresses may be tried at once. Only the channel of the successful attempt gets the handlers, and
            // nothing is read before they are added.
            .channelOption(.autoRead, value: false)
            .connect(host: host, port: destination.port)
            .flatMap { channel -> EventLoopFuture<Void> in
                do {
                    guard ConnectedAddress.isAllowed(channel.remoteAddress, addresses) else {
                        throw ProviderTransportError.addressRefused
                    }
                    try Self.prepare(channel, bound.value.0, bound.value.1, host: host, tls: context)
                } catch {
                    channel.close(promise: nil)
                    return channel.eventLoop.makeFailedFuture(error)
                }
                return channel.setOption(.autoRead, value: true)
            }
            .whenFailure { error in bound.value.0.fail(error) }
    }

    private static func prepare(
        _ channel: any Channel, _ connection: NIOClientConnection, _ coalescing: FlushCoalescingHandler, host: String,
        tls: NIOSSLContext?
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        if let tls {
            // An IP address is not sent in SNI, so the certificate must be for the connected address.
            let isAddress = (try? SocketAddress(ipAddress: host, port: 1)) != nil
            try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: isAddress ? nil : host))
        } else {
            connection.isEstablished = true
        }
        try pipeline.addHandler(coalescing)
        try pipeline.addHandler(ProviderRequestEncoder())
        let decoder = HTTPResponseDecoder(
            leftOverBytesStrategy: .dropBytes, limitConfiguration: ProviderResponse.decoderLimits)
        try pipeline.addHandler(ByteToMessageHandler(decoder))
        try pipeline.addHandler(connection)
    }
}

@available(*, unavailable)
extension NIOClientHost: Sendable {}
