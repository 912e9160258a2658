// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import OIDCBroker

/// Asks a store on one event loop.
struct StoreCaller: Sendable {
    private let store: any SingleUseStore
    private let eventLoop: any EventLoop

    init(_ store: any SingleUseStore, on eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()) {
        self.store = store
        self.eventLoop = eventLoop
    }

    func claim(
        _ key: SingleUseKey, _ attempt: SingleUseAttempt = SingleUseAttempt(), lifetime: Duration = .seconds(60)
    ) async throws -> SingleUseClaim {
        try await store.claim(key, attempt: attempt, owner: nil, lifetime: lifetime, on: eventLoop).get()
    }

    func put(
        _ key: SingleUseKey, _ value: [UInt8], lifetime: Duration = .seconds(60)
    ) async throws -> SingleUsePut {
        try await store.put(key, value: value, owner: nil, lifetime: lifetime, on: eventLoop).get()
    }

    func take(
        _ key: SingleUseKey, _ attempt: SingleUseAttempt = SingleUseAttempt(), claimLifetime: Duration = .seconds(60)
    ) async throws -> SingleUseTake {
        try await store.take(key, attempt: attempt, claimLifetime: claimLifetime, on: eventLoop).get()
    }

    func read(_ key: SingleUseKey) async throws -> [UInt8]? {
        try await store.read(key, on: eventLoop).get()
    }

    func remove(_ key: SingleUseKey, ifEqual value: [UInt8]) async throws {
        try await store.remove(key, ifEqual: value, on: eventLoop).get()
    }

    func isClaimed(_ key: SingleUseKey) async throws -> Bool {
        try await store.isClaimed(key, on: eventLoop).get()
    }
}

extension SingleUseKey {
    /// A key of a test.
    static func test(_ number: UInt8) -> SingleUseKey {
        SingleUseKey(bytes: [UInt8](repeating: number, count: 32))
    }
}
