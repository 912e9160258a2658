// SPDX-License-Identifier: Apache-2.0

#if SQLite && os(Linux)
    import Accounts
    import AccountsTestSupport
    import Foundation
    import FuzzingSupport
    import JOSE
    import NIOConcurrencyHelpers
    import NIOCore
    import NIOPosix
    import OIDCBrokerServer
    import OIDCBrokerTesting
    import StoreTesting
    import Testing
    import TestingSupport

    /// A server that is killed while apps sign in, link, unlink and delete. KILLED_SERVER_ROUNDS is how often for a longer
    /// run.
    struct KilledServerTests {
        static let rounds = Int(ProcessInfo.processInfo.environment["KILLED_SERVER_ROUNDS"] ?? "") ?? 10
        /// A few at a time, so that each has a processor.
        private static let turnstile = Turnstile(places: 2)

        @Test(arguments: AccountsEngine.allCases, 0..<rounds)
        func `what was answered is there, nothing is half there, and the next start serves`(
            engine: AccountsEngine, round: Int
        ) async throws {
            try await Self.turnstile.pass {
                try await ServedAccounts.run(on: engine) { wire in
                    let driver = KilledServerDriver(wire: wire, seed: UInt64(round))
                    try await driver.run()
                    try await check(driver, wire)
                    try await checkNextStart(driver, wire)
                }
            }
        }

        private func check(_ driver: KilledServerDriver, _ wire: ServedAccounts) async throws {
            let database = try wire.openDatabase()
            let contents = try await database.store.transact(.read, on: MultiThreadedEventLoopGroup.singleton.any()) {
                try $0.contents()
            }.get()
            try await database.close()
            #expect(contents.violations(under: AccountPolicy()).isEmpty)
            let answered = driver.answered
            #expect(!answered.isEmpty)
            for (person, last) in answered {
                let found = driver.stage(of: person, in: contents)
                // What was under way may have been committed without an answer.
                #expect(
                    found == last.stage || found == last.stage + 1,
                    "person \(person): answered \(last.stage), found \(found)")
            }
        }

        private func checkNextStart(_ driver: KilledServerDriver, _ wire: ServedAccounts) async throws {
            let began = ContinuousClock.now
            let server = try await ServerProcess.start(config: wire.config)
            // A figure, which decides nothing: other tests run beside it.
            print("after a kill, the next start took \(ContinuousClock.now - began)")
            defer { server.kill() }
            try await wire.settle(server)
            for (_, last) in driver.answered where last.stage < 3 {
                let found = try await wire.post("accounts:lookup", ["idToken": .string(last.idToken)], to: server)
                // Unlinking and deleting may have happened without an answer; being signed out may not.
                #expect(found.status == 200, "stage \(last.stage): \(found.status)")
            }
            #expect(try await wire.signIn("the-next", to: server).status == 200)
        }
    }

    /// Takes users through four stages over the wire, and kills the server in the midst of it.
    final class KilledServerDriver: Sendable {
        struct Last: Sendable {
            let stage: Int
            let idToken: String
        }

        private struct State {
            var answered: [Int: Last] = [:]
            var count = 0
        }

        private let wire: ServedAccounts
        private let last: Int
        private let yields: Int
        private let state = NIOLockedValueBox(State())

        init(wire: ServedAccounts, seed: UInt64) {
            self.wire = wire
            var random = SeededRandom(seed: seed)
            last = 20 + random.below(100)
            yields = random.below(2000)
        }

        var answered: [Int: Last] { state.withLockedValue { $0.answered } }

        func run() async throws {
            let server = try await ServerProcess.start(config: wire.config)
            defer { server.kill() }
            try await wire.settle(server)
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<8 { group.addTask { await self.work(worker, server) } }
            }
        }

        /// Ends when the server is gone.
        private func work(_ worker: Int, _ server: ServerProcess) async {
            for number in 0... {
                let person = worker + 8 * number
                var idToken = ""
                for stage in 1...4 {
                    guard let answer = try? await answer(stage, person, idToken, server) else { return }
                    guard answer.status == 200 else {
                        Issue.record("person \(person), stage \(stage): \(answer.status)")
                        return
                    }
                    // The session of the first sign-in asks throughout.
                    if stage == 1 { idToken = answer.text("idToken") ?? "" }
                    let isLast = note(Last(stage: stage, idToken: idToken), of: person)
                    guard isLast else { continue }
                    for _ in 0..<yields { await Task.yield() }
                    server.kill()
                }
            }
        }

        private func answer(
            _ stage: Int, _ person: Int, _ idToken: String, _ server: ServerProcess
        ) async throws -> ServedAccounts.Answer {
            switch stage {
            case 1: try await wire.signIn("person-\(person)", to: server)
            case 2: try await wire.signIn("person-\(person)", at: "bold", linkingTo: idToken, to: server)
            case 3:
                try await wire.post(
                    "accounts:update", ["idToken": .string(idToken), "deleteProvider": ["oidc.acme"]], to: server)
            default: try await wire.post("accounts:delete", ["idToken": .string(idToken)], to: server)
            }
        }

        private func note(_ last: Last, of person: Int) -> Bool {
            state.withLockedValue { state in
                state.answered[person] = last
                state.count += 1
                return state.count == self.last
            }
        }

        /// The stage at which a user is; 4 as well for one who never came.
        func stage(of person: Int, in contents: AccountStoreContents) -> Int {
            let own = contents.identities.filter { $0.key.subject == "person-\(person)" }.map(\.verified.providerID)
            return switch own.sorted() {
            case ["oidc.acme"]: 1
            case ["oidc.acme", "oidc.bold"]: 2
            case ["oidc.bold"]: 3
            default: 4
            }
        }
    }
#endif
