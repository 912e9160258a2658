// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The sentinels of a configuration, and how they are asked for the primary.
struct SentinelAccess: Sendable {
    let addresses: [ValkeyAddress]
    let primaryName: String
    let dialer: ValkeyDialer
    /// What is sent before anything else; `nil` if the sentinels demand no password.
    let authentication: RESPCommand?

    /// Returns `nil` if the configuration has no sentinels.
    init?(_ configuration: ValkeyConfiguration) {
        guard case .sentinels(let addresses, let primaryName) = configuration.servers.kind, !addresses.isEmpty else {
            return nil
        }
        self.addresses = addresses
        self.primaryName = primaryName
        dialer = ValkeyDialer(configuration)
        authentication = configuration.sentinelPassword.map { password in
            configuration.sentinelUsername.map { RESPCommand("AUTH", .text($0), .text(password)) }
                ?? RESPCommand("AUTH", .text(password))
        }
    }

    /// Asks all sentinels at once where the primary is. Call it on the event loop.
    /// - Returns: The addresses to try, at least one. The error is a ``ValkeyStoreError``.
    func candidates(on eventLoop: any EventLoop) -> EventLoopFuture<[ValkeyAddress]> {
        let promise = eventLoop.makePromise(of: [ValkeyAddress].self)
        var election = SentinelElection(sentinels: addresses.count)
        let question = RESPCommand("SENTINEL", "get-master-addr-by-name", .text(primaryName))
        for sentinel in addresses {
            let named = ask(sentinel, question, on: eventLoop).flatMapThrowing { answer in
                try SentinelAnswers.primary(answer)
            }
            named.assumeIsolated().whenComplete { result in
                let action: SentinelElection.Action
                switch result {
                case .success(let named): action = election.named(named)
                case .failure(let error):
                    action = election.failed(
                        error as? ValkeyStoreError ?? ValkeyStoreError.unreachable.with("no sentinel: \(error)"))
                }
                switch action {
                case .wait: break
                case .decide(let addresses): promise.succeed(addresses)
                case .fail(let error): promise.fail(error)
                }
            }
        }
        return promise.futureResult
    }

    /// Asks all sentinels at once whether an address is that of the primary, and whether they reach it. Call it on the
    /// event loop. It does not fail.
    func reach(of address: ValkeyAddress, on eventLoop: any EventLoop) -> EventLoopFuture<PrimaryReach.Verdict> {
        let promise = eventLoop.makePromise(of: PrimaryReach.Verdict.self)
        var machine = PrimaryReach(of: address, sentinels: addresses.count)
        for sentinel in addresses {
            watched(by: sentinel, on: eventLoop).assumeIsolated().whenComplete { result in
                let action: PrimaryReach.Action
                switch result {
                case .success(let primary): action = machine.said(primary)
                case .failure: action = machine.failed()
                }
                if case .decide(let verdict) = action { promise.succeed(verdict) }
            }
        }
        return promise.futureResult
    }

    /// Asks one sentinel what it sees of the primary. It may be called from any thread. The error is a
    /// ``ValkeyStoreError``, or says why there is no connection.
    func watched(by sentinel: ValkeyAddress, on eventLoop: any EventLoop) -> EventLoopFuture<WatchedPrimary> {
        let question = RESPCommand("SENTINEL", "master", .text(primaryName))
        return eventLoop.flatSubmit {
            ask(sentinel, question, on: eventLoop).flatMapThrowing { answer in try SentinelAnswers.watched(answer) }
        }
    }

    /// Asks one sentinel, over a connection for this alone.
    private func ask(
        _ sentinel: ValkeyAddress, _ question: RESPCommand, on eventLoop: any EventLoop
    ) -> EventLoopFuture<RESPValue> {
        let bound = NIOLoopBound(ValkeyConnection(eventLoop: eventLoop), eventLoop: eventLoop)
        return dialer.dial(sentinel, on: eventLoop) { pipeline in try pipeline.addHandler(bound.value) }
            .flatMap { channel -> EventLoopFuture<RESPValue> in
                let connection = bound.value
                let authenticated = authentication.map { connection.send($0) }
                let answer = connection.send(question)
                return channel.setOption(.autoRead, value: true)
                    .flatMap { authenticated ?? eventLoop.makeSucceededFuture(RESPValue.simple("OK")) }
                    .flatMapThrowing { admitted -> Void in
                        guard admitted == .simple("OK") else { throw Self.refusal(admitted) }
                    }
                    .flatMap { answer }
            }
            .always { _ in bound.value.close(.closed) }
    }

    /// The error of an answer to ``authentication``. A sentinel without a password says that with the general word.
    static func refusal(_ answer: RESPValue) -> ValkeyStoreError {
        if case .error(let text) = answer, text.hasPrefix("ERR AUTH ") {
            return .wrongPassword.with("a sentinel has no password")
        }
        return ValkeyStoreError(unexpected: answer)
    }
}
