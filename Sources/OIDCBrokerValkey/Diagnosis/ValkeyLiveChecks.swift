// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import OpenIDRelyingParty

/// The checks of a server and its sentinels as they are now, over connections for these alone. Nothing is stored there.
package struct ValkeyLiveChecks: Sendable {
    private let configuration: ValkeyConfiguration
    private let diagnosis: ValkeyDiagnosis

    /// - Parameters:
    ///   - configuration: The server that is checked, and the user and password for it.
    ///   - now: The time of this machine, in seconds since 1970.
    package init(_ configuration: ValkeyConfiguration, now: Int64) {
        self.configuration = configuration
        diagnosis = ValkeyDiagnosis(standbysToWaitFor: configuration.standbysToWaitFor, now: now)
    }

    /// Makes the checks: those of the sentinels, if there are any, and then those of the server.
    package func run(on eventLoop: any EventLoop) async -> [LiveCheck] {
        switch configuration.servers.kind {
        case .node(let address): return await server(address, on: eventLoop)
        case .sentinels(let sentinels, let primaryName):
            guard let access = SentinelAccess(configuration) else { return [] }
            var checks: [LiveCheck] = []
            var election = SentinelElection(sentinels: sentinels.count)
            var elected: ValkeyAddress?
            for sentinel in sentinels {
                let answer = await result { try await access.watched(by: sentinel, on: eventLoop).get() }
                checks.append(diagnosis.check(ofSentinel: sentinel, primaryName: primaryName, answer))
                let action: SentinelElection.Action =
                    switch answer {
                    case .success(let primary): election.named(primary.address)
                    case .failure(let error): election.failed(error)
                    }
                if case .decide(let addresses) = action { elected = addresses.first }
            }
            guard let elected else { return checks }
            return checks + (await server(elected, on: eventLoop))
        }
    }

    private func server(_ address: ValkeyAddress, on eventLoop: any EventLoop) async -> [LiveCheck] {
        let handshake = ValkeyHandshake(
            username: configuration.username, password: configuration.password, database: configuration.database)
        let dialer = ValkeyDialer(configuration)
        let asked = handshake.commands
        let answers = await result { [asked] in
            try await eventLoop.flatSubmit { () -> EventLoopFuture<[Result<RESPValue, any Error>]> in
                let bound = NIOLoopBound(ValkeyConnection(eventLoop: eventLoop), eventLoop: eventLoop)
                return dialer.dial(address, on: eventLoop) { pipeline in try pipeline.addHandler(bound.value) }
                    .flatMap { channel -> EventLoopFuture<[Result<RESPValue, any Error>]> in
                        let answers = asked.map { bound.value.send($0) }
                        return channel.setOption(.autoRead, value: true).flatMap {
                            EventLoopFuture.whenAllComplete(answers, on: eventLoop)
                        }
                    }
                    .always { _ in bound.value.close(.closed) }
            }.get()
        }
        switch answers {
        case .failure(let error): return [diagnosis.unreached("\(address)", error)]
        case .success(let answers):
            let told = zip(handshake.asked, answers).map { entry, answer in
                (question: entry.question, answer: answer.mapError { ValkeyStoreError(connection: $0) })
            }
            return diagnosis.checks(of: "\(address)", told)
        }
    }

    private func result<Value: Sendable>(
        _ body: () async throws -> Value
    ) async -> Result<Value, ValkeyStoreError> {
        do {
            return .success(try await body())
        } catch {
            return .failure(ValkeyStoreError(connection: error))
        }
    }
}
