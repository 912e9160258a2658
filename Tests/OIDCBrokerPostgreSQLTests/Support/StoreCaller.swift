// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOCore
    import NIOPosix
    import OIDCBroker

    @testable import OIDCBrokerPostgreSQL

    /// Asks a store on one event loop, as the same attempt until the server is reached: on a busy machine a connection may
    /// take longer than the time that it has.
    struct StoreCaller: Sendable {
        /// How often it asks.
        private static let tries = 30

        private let store: any SingleUseStore
        private let eventLoop: any EventLoop

        init(_ store: any SingleUseStore, on eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()) {
            self.store = store
            self.eventLoop = eventLoop
        }

        private func untilReached<Value>(_ ask: () async throws -> Value) async throws -> Value {
            for _ in 1..<Self.tries {
                do {
                    return try await ask()
                } catch let error as PostgreSQLStoreError where error == .unreachable {
                    continue
                }
            }
            return try await ask()
        }

        func claim(
            _ key: SingleUseKey, _ attempt: SingleUseAttempt = SingleUseAttempt(), lifetime: Duration = .seconds(60)
        ) async throws -> SingleUseClaim {
            try await untilReached {
                try await store.claim(key, attempt: attempt, owner: nil, lifetime: lifetime, on: eventLoop).get()
            }
        }

        func put(
            _ key: SingleUseKey, _ value: [UInt8], lifetime: Duration = .seconds(60)
        ) async throws -> SingleUsePut {
            try await untilReached {
                try await store.put(key, value: value, owner: nil, lifetime: lifetime, on: eventLoop).get()
            }
        }

        func take(
            _ key: SingleUseKey, _ attempt: SingleUseAttempt = SingleUseAttempt(),
            claimLifetime: Duration = .seconds(60)
        ) async throws -> SingleUseTake {
            try await untilReached {
                try await store.take(key, attempt: attempt, claimLifetime: claimLifetime, on: eventLoop).get()
            }
        }

        func read(_ key: SingleUseKey) async throws -> [UInt8]? {
            try await untilReached { try await store.read(key, on: eventLoop).get() }
        }

        func remove(_ key: SingleUseKey, ifEqual value: [UInt8]) async throws {
            try await untilReached { try await store.remove(key, ifEqual: value, on: eventLoop).get() }
        }

        func isClaimed(_ key: SingleUseKey) async throws -> Bool {
            try await untilReached { try await store.isClaimed(key, on: eventLoop).get() }
        }
    }

    extension SingleUseKey {
        /// A key of a test.
        static func test(_ number: UInt8) -> SingleUseKey {
            SingleUseKey(bytes: [UInt8](repeating: number, count: 32))
        }
    }
#endif
