// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import NIOPosix
package import SingleUse

/// Asks a store on one event loop, as the same attempt until it answers: on a busy machine that may take longer than the
/// time that it has.
package struct StoreCaller: Sendable {
    /// How often it asks.
    private static let tries = 30

    /// The store.
    package let store: any SingleUseStore
    /// Where it is asked.
    package let eventLoop: any EventLoop
    private let repeated: Set<String>

    /// - Parameter repeated: The codes of the errors after which it asks again.
    package init(
        _ store: any SingleUseStore, on eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any(),
        after repeated: Set<String> = ["unreachable", "timeout"]
    ) {
        self.store = store
        self.eventLoop = eventLoop
        self.repeated = repeated
    }

    private func untilAnswered<Value>(_ ask: () async throws -> Value) async throws -> Value {
        for _ in 1..<Self.tries {
            do {
                return try await ask()
            } catch let error as any SingleUseStoreFailure where repeated.contains(error.code) {
                continue
            }
        }
        return try await ask()
    }

    /// Claims a key.
    package func claim(
        _ key: SingleUseKey, _ attempt: SingleUseAttempt = SingleUseAttempt(), lifetime: Duration = .seconds(60)
    ) async throws -> SingleUseClaim {
        try await untilAnswered {
            try await store.claim(key, attempt: attempt, owner: nil, lifetime: lifetime, on: eventLoop).get()
        }
    }

    /// Stores a value.
    package func put(
        _ key: SingleUseKey, _ value: [UInt8], lifetime: Duration = .seconds(60)
    ) async throws -> SingleUsePut {
        try await untilAnswered {
            try await store.put(key, value: value, owner: nil, lifetime: lifetime, on: eventLoop).get()
        }
    }

    /// Claims a key and returns its value.
    package func take(
        _ key: SingleUseKey, _ attempt: SingleUseAttempt = SingleUseAttempt(), claimLifetime: Duration = .seconds(60)
    ) async throws -> SingleUseTake {
        try await untilAnswered {
            try await store.take(key, attempt: attempt, claimLifetime: claimLifetime, on: eventLoop).get()
        }
    }

    /// Returns a value.
    package func read(_ key: SingleUseKey) async throws -> [UInt8]? {
        try await untilAnswered { try await store.read(key, on: eventLoop).get() }
    }

    /// Removes a value if it is the given one.
    package func remove(_ key: SingleUseKey, ifEqual value: [UInt8]) async throws {
        try await untilAnswered { try await store.remove(key, ifEqual: value, on: eventLoop).get() }
    }

    /// Returns whether a key is claimed.
    package func isClaimed(_ key: SingleUseKey) async throws -> Bool {
        try await untilAnswered { try await store.isClaimed(key, on: eventLoop).get() }
    }
}

extension SingleUseKey {
    /// A key of a test.
    package static func test(_ number: UInt8) -> SingleUseKey {
        SingleUseKey(bytes: [UInt8](repeating: number, count: 32))
    }
}
