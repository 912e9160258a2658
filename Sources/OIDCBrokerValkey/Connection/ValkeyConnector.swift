// SPDX-License-Identifier: Apache-2.0

import NIOCore
import SingleUse

/// Makes connections to the server of a configuration, which sentinels may have to name first.
struct ValkeyConnector: Sendable {
    /// A connection to a server that may be used.
    struct Connected: Sendable {
        let connection: NIOLoopBound<ValkeyConnection>
        let address: ValkeyAddress
    }

    /// The maximum number of addresses that are tried of those that sentinels name.
    static let mostCandidates = 3
    /// The time after which no other address is tried.
    static let candidateTime = TimeAmount.seconds(1)

    private let configuration: ValkeyConfiguration
    private let password: @Sendable () -> String?
    private let dialer: ValkeyDialer
    private let sentinels: SentinelAccess?
    private let serverTime: ServerTime

    /// - Parameters:
    ///   - password: Returns the password of connections that are made from now on; `nil` for that of the configuration.
    ///   - serverTime: Who is told the time of each server.
    init(
        configuration: ValkeyConfiguration, password: (@Sendable () -> String?)? = nil,
        serverTime: ServerTime = ServerTime()
    ) {
        self.serverTime = serverTime
        self.configuration = configuration
        self.password = password ?? { configuration.password }
        dialer = ValkeyDialer(configuration)
        sentinels = SentinelAccess(configuration)
    }

    /// Connects, and asks what has to be known of the server. Call it on the event loop of the connection.
    /// - Returns: The connection. If it fails, nothing remains open, and the error is a ``ValkeyStoreError``.
    func connect(on eventLoop: any EventLoop) -> EventLoopFuture<Connected> {
        switch configuration.servers.kind {
        case .node(let address): return connect(to: address, on: eventLoop)
        case .sentinels:
            guard let sentinels else { return eventLoop.makeFailedFuture(ValkeyStoreError.unreachable) }
            let limit = eventLoop.now + Self.candidateTime
            return sentinels.candidates(on: eventLoop).flatMap { candidates in
                connect(toFirstOf: candidates.prefix(Self.mostCandidates), before: limit, on: eventLoop)
            }
        }
    }

    /// Whether the sentinels are to be asked about what standbys do not confirm.
    var asksAboutPrimary: Bool { configuration.asksAboutPrimary }

    /// Asks whether more than half of the sentinels name an address as that of the primary, and reach it.
    func reach(of address: ValkeyAddress, on eventLoop: any EventLoop) -> EventLoopFuture<PrimaryReach.Verdict> {
        sentinels?.reach(of: address, on: eventLoop) ?? eventLoop.makeSucceededFuture(.notNamed)
    }

    private func connect(
        toFirstOf candidates: ArraySlice<ValkeyAddress>, before limit: NIODeadline, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Connected> {
        guard let first = candidates.first else { return eventLoop.makeFailedFuture(ValkeyStoreError.unreachable) }
        let rest = candidates.dropFirst()
        return connect(to: first, on: eventLoop).flatMapError { error in
            guard !rest.isEmpty, eventLoop.now < limit else { return eventLoop.makeFailedFuture(error) }
            return connect(toFirstOf: rest, before: limit, on: eventLoop)
        }
    }

    private func connect(to address: ValkeyAddress, on eventLoop: any EventLoop) -> EventLoopFuture<Connected> {
        let connection = ValkeyConnection(eventLoop: eventLoop, standbys: configuration.standbysToWaitFor)
        let bound = NIOLoopBound(connection, eventLoop: eventLoop)
        let handshake = ValkeyHandshake(
            username: configuration.username, password: password(), database: configuration.database)
        return dialer.dial(address, on: eventLoop) { pipeline in try pipeline.addHandler(bound.value) }
            .flatMap { channel -> EventLoopFuture<Int64> in
                let time = bound.value.shakeHands(handshake)
                return channel.setOption(.autoRead, value: true).flatMap { time }
            }
            .map { seconds in
                serverTime.told(seconds: seconds, at: eventLoop.now)
                return Connected(connection: bound, address: address)
            }
            .flatMapErrorThrowing { error in
                let reason = ValkeyStoreError(connection: error)
                bound.value.close(reason)
                throw reason
            }
    }
}
