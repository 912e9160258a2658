// SPDX-License-Identifier: Apache-2.0

import NIOCore
import SingleUse

/// One check of ``SingleUseStoreConformance``, with the store under test and the findings.
struct Examination {
    let store: any SingleUseStore
    let group: any EventLoopGroup
    private let pass: (Duration) async throws -> Void
    private(set) var failures: [String] = []
    /// Random bytes of this check, so that its keys are no other check's.
    private let salt = SingleUseAttempt().bytes

    init(store: any SingleUseStore, group: any EventLoopGroup, pass: @escaping (Duration) async throws -> Void) {
        self.store = store
        self.group = group
        self.pass = pass
    }

    /// Returns a key for a number. The keys of successive numbers differ only in their last bytes.
    func key(_ number: Int) -> SingleUseKey {
        var bytes = salt + salt
        bytes[30] = UInt8(truncatingIfNeeded: number >> 8)
        bytes[31] = UInt8(truncatingIfNeeded: number)
        return SingleUseKey(bytes: bytes)
    }

    /// Records a requirement that the store does not meet.
    mutating func check(_ holds: Bool, _ requirement: String) {
        if !holds { failures.append(requirement) }
    }

    /// Lets every short lifetime end.
    func letTimePass() async throws { try await pass(.seconds(2)) }

    func claim(
        _ key: SingleUseKey, _ attempt: SingleUseAttempt = SingleUseAttempt(), owner: SingleUseOwner? = nil,
        for lifetime: Duration = SingleUseStoreConformance.long
    ) async throws -> SingleUseClaim {
        try await store.claim(key, attempt: attempt, owner: owner, lifetime: lifetime, on: group.next()).get()
    }

    func put(
        _ key: SingleUseKey, _ value: [UInt8], owner: SingleUseOwner? = nil,
        for lifetime: Duration = SingleUseStoreConformance.long
    ) async throws -> SingleUsePut {
        try await store.put(key, value: value, owner: owner, lifetime: lifetime, on: group.next()).get()
    }

    func take(
        _ key: SingleUseKey, _ attempt: SingleUseAttempt = SingleUseAttempt(),
        claimFor lifetime: Duration = SingleUseStoreConformance.long
    ) async throws -> SingleUseTake {
        try await store.take(key, attempt: attempt, claimLifetime: lifetime, on: group.next()).get()
    }

    func read(_ key: SingleUseKey) async throws -> [UInt8]? { try await store.read(key, on: group.next()).get() }

    func remove(_ key: SingleUseKey, ifEqual value: [UInt8]) async throws {
        try await store.remove(key, ifEqual: value, on: group.next()).get()
    }

    func isClaimed(_ key: SingleUseKey) async throws -> Bool {
        try await store.isClaimed(key, on: group.next()).get()
    }
}
