// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import StoreTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import SingleUse

/// The suite that every single-use store has to pass finds what is wrong with one.
struct SingleUseStoreConformanceTests {
    private func failures(of fault: ReferenceStore.Fault?) async throws -> [String] {
        let clock = TestClock()
        return try await SingleUseStoreConformance.failures(
            { ReferenceStore(fault, clock: clock) }, on: NIOAsyncTestingEventLoop()
        ) { clock.advance(by: $0.components.seconds) }
    }

    @Test func `a store without a fault passes`() async throws {
        let failures = try await failures(of: nil)
        #expect(failures.isEmpty, "\(failures)")
    }

    @Test(arguments: ReferenceStore.Fault.allCases)
    func `a planted fault is found`(fault: ReferenceStore.Fault) async throws {
        let failures = try await failures(of: fault)
        #expect(!failures.isEmpty)
    }

    @Test func `a store behind tasks instead of event loops passes`() async throws {
        let clock = TestClock()
        let loop = NIOAsyncTestingEventLoop()
        let failures = try await SingleUseStoreConformance.failures(
            { AsyncSingleUseStoreAdapter(AsyncStore(store: ReferenceStore(clock: clock), loop: loop)) }, on: loop
        ) { clock.advance(by: $0.components.seconds) }
        #expect(failures.isEmpty, "\(failures)")
    }

    /// A store without event loops.
    private struct AsyncStore: AsyncSingleUseStore {
        let store: ReferenceStore
        let loop: NIOAsyncTestingEventLoop

        func claim(
            _ key: SingleUseKey, attempt: SingleUseAttempt, owner: SingleUseOwner?, lifetime: Duration
        ) async throws -> SingleUseClaim {
            try await store.claim(key, attempt: attempt, owner: owner, lifetime: lifetime, on: loop).get()
        }

        func put(
            _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Duration
        ) async throws -> SingleUsePut {
            try await store.put(key, value: value, owner: owner, lifetime: lifetime, on: loop).get()
        }

        func take(
            _ key: SingleUseKey, attempt: SingleUseAttempt, claimLifetime: Duration
        ) async throws -> SingleUseTake {
            try await store.take(key, attempt: attempt, claimLifetime: claimLifetime, on: loop).get()
        }

        func read(_ key: SingleUseKey) async throws -> [UInt8]? { try await store.read(key, on: loop).get() }

        func remove(_ key: SingleUseKey, ifEqual value: [UInt8]) async throws {
            try await store.remove(key, ifEqual: value, on: loop).get()
        }

        func isClaimed(_ key: SingleUseKey) async throws -> Bool { try await store.isClaimed(key, on: loop).get() }
    }
}
