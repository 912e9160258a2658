// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDConnect
import OpenIDRelyingParty

/// The connections of one event loop, by destination and trust. It is used on that event loop only.
final class NIOClientPool: Sendable {
    /// The destination of a connection. Requests with different trust or of different owners never share a connection.
    struct Destination: Hashable {
        let host: String
        let port: Int
        let isTLS: Bool
        let trust: ProviderTrust
        let owner: ObjectIdentifier?

        init(_ request: ProviderRequest) {
            host = request.url.host
            isTLS = request.url.isHTTPS
            port = request.url.port ?? (isTLS ? 443 : 80)
            trust = request.trust
            owner = request.owner
        }
    }

    private struct State {
        var hosts: [Destination: NIOClientHost] = [:]
        var isShutDown = false
    }

    /// The maximum number of destinations that are remembered while there is no connection to them.
    private static let maximumHosts = 256

    let loop: any EventLoop
    private let contexts: TLSContexts
    private let lookups: HostLookups
    private let connectTimeout: TimeAmount
    private let state: NIOLoopBoundBox<State>

    init(loop: any EventLoop, contexts: TLSContexts, lookups: HostLookups, connectTimeout: TimeAmount) {
        self.connectTimeout = connectTimeout
        self.loop = loop
        self.contexts = contexts
        self.lookups = lookups
        state = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: loop)
    }

    /// Sends a request on an idle connection, or on a new one.
    func execute(_ request: ProviderRequest, _ promise: EventLoopPromise<ProviderResponse>) {
        guard !state.value.isShutDown else { return promise.fail(ProviderTransportError.interrupted) }
        guard request.deadline > loop.now else { return promise.fail(ProviderTransportError.timedOut) }
        let destination = Destination(request)
        let host: NIOClientHost
        if let known = state.value.hosts[destination] {
            host = known
        } else {
            if state.value.hosts.count >= Self.maximumHosts {
                state.value.hosts = state.value.hosts.filter { !$0.value.isUnused }
            }
            host = NIOClientHost(
                destination, authority: request.url.authority, loop: loop, contexts: contexts, lookups: lookups,
                connectTimeout: connectTimeout)
            state.value.hosts[destination] = host
        }
        host.execute(request, promise)
    }

    /// Closes all connections and fails the requests under way.
    func shutdown() {
        state.value.isShutDown = true
        let hosts = state.value.hosts.values
        state.value.hosts = [:]
        for host in hosts { host.shutdown() }
    }
}
