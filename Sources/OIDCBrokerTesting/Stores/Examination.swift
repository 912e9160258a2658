// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBroker

/// One check of ``SingleUseStoreConformance`` with the store it is about and what it has found.
struct Examination: Sendable {
    let store: any SingleUseStore
    let eventLoop: any EventLoop
    private(set) var failures: [String] = []

    init(store: any SingleUseStore, eventLoop: any EventLoop) {
        self.store = store
        self.eventLoop = eventLoop
    }

    /// A key for a number; keys of neighboring numbers differ in their last bytes only.
    static func key(_ number: Int) -> SingleUseKey {
        var bytes = [UInt8](repeating: 0x5A, count: 32)
        bytes[30] = UInt8(truncatingIfNeeded: number >> 8)
        bytes[31] = UInt8(truncatingIfNeeded: number)
        return SingleUseKey(bytes: bytes)
    }

    /// Notes what the store does not do.
    mutating func check(_ holds: Bool, _ requirement: String) {
        if !holds { failures.append(requirement) }
    }

    func insert(_ key: SingleUseKey, _ value: [UInt8], expiry: Int64, now: Int64) async throws -> SingleUseInsertion {
        try await store.insertIfAbsent(key, value: value, expiry: expiry, now: now, on: eventLoop).get()
    }

    func contains(_ key: SingleUseKey, now: Int64) async throws -> Bool {
        try await store.contains(key, now: now, on: eventLoop).get()
    }

    func take(_ key: SingleUseKey, now: Int64) async throws -> [UInt8]? {
        try await store.take(key, now: now, on: eventLoop).get()
    }
}
