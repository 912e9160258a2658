// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import NIOPosix
import SingleUse
import TestingSupport

@testable import OIDCBrokerValkey

extension RedisServer {
    /// Runs a server and a store on it while the body runs.
    static func withStore(
        _ arguments: [String] = [], _ body: (RedisServer, StoreCaller) async throws -> Void
    ) async throws {
        try await run(arguments) { server in
            let store = server.store()
            try await attempt {
                try await body(server, StoreCaller(store))
            } finally: {
                await store.shutdown()
            }
        }
    }

    /// How it is reached.
    func configuration(username: String? = nil, password: String? = nil) -> ValkeyConfiguration {
        ValkeyConfiguration(address: .socket(path: socketPath), username: username, password: password)
    }

    /// A store on it, which the caller shuts down.
    func store(username: String? = nil, password: String? = nil) -> ValkeySingleUseStore {
        ValkeySingleUseStore(configuration(username: username, password: password), logger: Self.silent)
    }

    /// Sends one command over a connection of its own.
    func ask(_ command: RESPCommand) async throws -> RESPValue {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        let loop = ValkeyLoop(
            eventLoop: eventLoop, connector: ValkeyConnector(configuration: configuration()),
            refusals: RefusalLog(Self.silent))
        let answer = try await eventLoop.flatSubmit { loop.send(command) }.get()
        try await loop.shutdown().get()
        return answer
    }

    private static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}
