// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import OIDCBrokerTesting
import SignInWithAppleTesting
import Synchronization
import Testing
import TestingSupport

/// The client secret that the broker makes, under load.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct AppleClientSecretTests {
    @Test(.attack(.appleClientSecret)) func `fifty callbacks at a time, one signature`() async throws {
        try await AppleFixture.run { fixture in
            let callbacks = try await fixture.prepareCallbacks(50)
            #expect(callbacks.count == 50)
            // No secret was needed so far, so none of them finds one.
            #expect(fixture.apple.counts().clientSecrets == 0)
            #expect(fixture.apple.counts().codeExchanges == 0)
            let ends = try await withThrowingTaskGroup(of: AppleFixture.CallbackEnd.self) { group in
                // All of them wait at once: few enough for a slow machine to end each within the deadline of a provider.
                for callback in callbacks { group.addTask { try await fixture.send(callback) } }
                return try await group.reduce(into: [AppleFixture.CallbackEnd]()) { $0.append($1) }
            }
            #expect(ends.count { $0.isVerified } == 50)
            #expect(ends.count { $0.isSignedIn } == 32, "the most that wait for their app of one user")
            #expect(Set(ends).count == 50, "each has a code of its own")
            #expect(fixture.apple.counts().codeExchanges == 50)
            // ECDSA uses a fresh random number, so each signature is a different secret.
            #expect(fixture.apple.counts().clientSecrets == 1)
            #expect(fixture.apple.clientSecretRefusals() == [])
        }
    }

    @Test(.attack(.appleClientSecret)) func `remade at half its life, and never used beyond`() async throws {
        try await AppleFixture.run { fixture in
            let expected: [(seconds: Int64, secrets: Int)] = [(0, 1), (299, 1), (1, 2), (299, 2), (601, 3)]
            for (seconds, secrets) in expected {
                fixture.clock.advance(by: seconds)
                try await fixture.signIn(fixture.browser())
                #expect(fixture.apple.counts().clientSecrets == secrets, "after \(seconds) s more")
            }
            #expect(fixture.apple.clientSecretRefusals() == [])
        }
    }

    @Test(.attack(.applePrivateKey)) func `the key is replaced under load, and no sign-in fails`() async throws {
        let log = LogRecorder()
        var options = AppleFixture.Options()
        // Long enough that both files are replaced between two looks.
        options.keyFileInterval = .milliseconds(500)
        options.logger = log.logger
        try await AppleFixture.run(options) { fixture in
            let next = MockApple.DeveloperKey.make(teamID: AppleFixture.teamID)
            let load = Load()
            let ends = try await withThrowingTaskGroup(of: [AppleFixture.CallbackEnd].self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        // A load that has failed is not waited for.
                        defer { load.end() }
                        var ends: [AppleFixture.CallbackEnd] = []
                        while !load.isOver {
                            ends.append(try await fixture.send(try await fixture.prepareCallback()))
                            load.count()
                        }
                        return ends
                    }
                }
                try await attempt {
                    try await Self.replace(fixture, by: next, under: load, log)
                } finally: {
                    load.end()
                }
                return try await group.reduce(into: [AppleFixture.CallbackEnd]()) { $0 += $1 }
            }
            #expect(ends.count >= 30)
            #expect(ends.filter { !$0.isVerified } == [])
            #expect(fixture.apple.clientSecretRefusals() == [])
            #expect(fixture.apple.counts().clientSecrets == 2, "one of each key")

            // The new one is used, since Apple no longer accepts the old one.
            fixture.apple.withdraw(keyID: fixture.key.keyID)
            let end = try await fixture.send(try await fixture.prepareCallback())
            #expect(end.isVerified)
            #expect(fixture.apple.counts().refusedClientSecrets == 0)
        }
    }

    /// Replaces the key as an operator does: the new key is created at Apple, its files are replaced, and both keys are
    /// valid until the broker uses the new one.
    private static func replace(
        _ fixture: AppleFixture, by next: MockApple.DeveloperKey, under load: Load, _ log: LogRecorder
    ) async throws {
        await load.wait(forMore: 10)
        try fixture.apple.register(next)
        try fixture.write(next)
        try await log.wait(forPrefix: "provider key reloaded")
        await load.wait(forMore: 20)
    }

    @Test(.attack(.applePrivateKey))
    func `a key that Apple withdrew fails sign-ins only until the next one is there`() async throws {
        try await AppleFixture.run { fixture in
            try await fixture.signIn(fixture.browser())
            fixture.apple.withdraw(keyID: fixture.key.keyID)
            let refused = try await fixture.send(try await fixture.prepareCallback())
            #expect(!refused.isSignedIn)
            #expect(refused.location?.contains("error=server_error") == true)
            #expect(fixture.apple.clientSecretRefusals() == ["kid is unknown"])

            let next = MockApple.DeveloperKey.make(teamID: AppleFixture.teamID)
            try fixture.apple.register(next)
            try fixture.broker.replaceAppleKey(provider: "apple", keyID: next.keyID, privateKey: next.privateKey)
            try await fixture.signIn(fixture.browser())
        }
    }

    /// Sign-ins that continue until they are stopped.
    private final class Load: Sendable {
        private struct State {
            var count = 0
            var isOver = false
            var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        }

        private let state = Mutex(State())

        var isOver: Bool { state.withLock { $0.isOver } }

        /// Counts a completed sign-in.
        func count() {
            let ready = state.withLock { state in
                state.count += 1
                return Self.takeReady(&state)
            }
            for continuation in ready { continuation.resume() }
        }

        /// Stops the sign-ins.
        func end() {
            let ready = state.withLock { state in
                state.isOver = true
                return Self.takeReady(&state)
            }
            for continuation in ready { continuation.resume() }
        }

        /// Returns when the given number of sign-ins has been completed.
        func wait(forMore count: Int) async {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !state.isOver else { return true }
                    state.waiting.append((state.count + count, continuation))
                    return false
                }
                if isOver { continuation.resume() }
            }
        }

        private static func takeReady(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
            let (count, isOver) = (state.count, state.isOver)
            let ready = state.waiting.filter { isOver || $0.count <= count }
            state.waiting.removeAll { isOver || $0.count <= count }
            return ready.map { $0.continuation }
        }
    }
}
