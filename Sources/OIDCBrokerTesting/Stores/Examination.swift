// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBroker

/// One check of ``SingleUseStoreConformance``, with the store under test and the findings.
struct Examination: Sendable {
    let store: any SingleUseStore
    let eventLoop: any EventLoop
    private(set) var failures: [String] = []

    init(store: any SingleUseStore, eventLoop: any EventLoop) {
        self.store = store
        self.eventLoop = eventLoop
    }

    /// Returns a key for a number. The keys of successive numbers differ only in their last bytes.
    static func key(_ number: Int) -> SingleUseKey {
        var bytes = [UInt8](repeating: 0x5A, count: 32)
        bytes[30] = UInt8(truncatingIfNeeded: number >> 8)
        bytes[31] = UInt8(truncatingIfNeeded: number)
        return SingleUseKey(bytes: bytes)
    }

    /// Records a requirement that the store does not meet.
    mutating func check(_ holds: Bool, _ requirement: String) {
        if !holds { failures.append(requirement) }
    }

    func insert(_ key: SingleUseKey, _ value: [UInt8], expiry: Int64, now: Int64) async throws -> SingleUseInsertion {
        try await store.insertIfAbsent(key, value: value, expiry: expiry, now: now, on: eventLoop).get()
    }

    func read(_ key: SingleUseKey, now: Int64) async throws -> [UInt8]? {
        try await store.read(key, now: now, on: eventLoop).get()
    }

    func contains(_ key: SingleUseKey, now: Int64) async throws -> Bool {
        try await store.contains(key, now: now, on: eventLoop).get()
    }

    func take(_ key: SingleUseKey, now: Int64) async throws -> [UInt8]? {
        try await store.take(key, now: now, on: eventLoop).get()
    }
}
