// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL && os(Linux)
    import Accounts
    import AccountsTestSupport
    import Foundation
    import Glibc
    import NIOPosix
    import StoreTesting
    import Synchronization
    import Testing
    import TestingSupport

    @testable import OIDCBrokerPostgreSQL

    /// Processes that are killed in the midst of writing: those of a broker, and the server.
    @Suite(.onSockets, .serialized, .timeLimit(.minutes(20)))
    struct AccountCrashTests {
        @Test func `of a broker that is killed, what was answered is there, and nothing is half there`() async throws {
            try await PostgreSQLServer.withAccounts { server, caller async throws in
                for round in 0..<50 {
                    try server.empty()
                    let folder = FileManager.default.temporaryDirectory.path + "/accounts-\(UUID().uuidString)"
                    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                    defer { try? FileManager.default.removeItem(atPath: folder) }
                    let address = server.address + " user=broker"
                    KilledProcessArguments.pass([folder, "\(round)", address])
                    await #expect(processExitsWith: .signal(SIGKILL)) {
                        let folder = KilledProcessArguments.received(0)
                        let round = try #require(Int(KilledProcessArguments.received(1)))
                        let connection = try #require(PostgreSQLConnectionString(KilledProcessArguments.received(2)))
                        let store = try PostgreSQLAccountStore.open(
                            PostgreSQLConfiguration(connection: connection, connections: 4), project: "test",
                            logger: PostgreSQLServer.silent)
                        await AccountCaller(store).makeConnections()
                        try await KilledAccountWriter(folder: folder, round: round).run(store)
                    }
                    KilledAccountWriter.check(
                        try await caller.contents(), answered: try KilledAccountWriter.answers(in: folder))
                    // Nothing waits for the work of the killed process.
                    #expect(
                        try await KilledAccountWriter.write(
                            1, person: 1_000_000, to: caller.store, on: caller.eventLoop))
                }
            }
        }

        @Test func `of a server that is killed, what was answered is there, and the store goes on by itself`()
            async throws
        {
            try await PostgreSQLServer.withAccounts { server, caller async throws in
                for round in 0..<10 {
                    let answered = try await Self.write(until: 50 + 20 * round, round, caller, server)
                    try await server.start()
                    await caller.makeConnections()
                    KilledAccountWriter.check(try await caller.contents(), answered: answered)
                }
            }
        }

        /// Takes users through their stages until so many answers came and the server was killed.
        private static func write(
            until last: Int, _ round: Int, _ caller: AccountCaller, _ server: PostgreSQLServer
        ) async throws -> [Int: Int] {
            let answers = Answers()
            let (enough, continuation) = AsyncStream.makeStream(of: Void.self)
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<8 {
                    group.addTask {
                        for number in 0... {
                            let person = round * 100_000 + worker + 8 * number
                            for stage in 1...4 {
                                do {
                                    _ = try await KilledAccountWriter.write(
                                        stage, person: person, to: caller.store, on: caller.eventLoop)
                                } catch {
                                    // Nothing else than the end of the server fails here.
                                    #expect((error as? AccountStoreError)?.code == .unavailable)
                                    continuation.finish()
                                    return
                                }
                                if answers.note(stage, of: person) == last { continuation.finish() }
                            }
                        }
                    }
                }
                group.addTask {
                    for await _ in enough {}
                    await server.stop()
                }
            }
            #expect(answers.count >= last)
            return answers.stages
        }

        /// What was answered: the last stage of each user, and how many answers there were.
        private final class Answers: Sendable {
            private let state = Mutex<(stages: [Int: Int], count: Int)>(([:], 0))

            var stages: [Int: Int] { state.withLock { $0.stages } }
            var count: Int { state.withLock { $0.count } }

            /// - Returns: The number of answers so far.
            func note(_ stage: Int, of person: Int) -> Int {
                state.withLock { state in
                    state.stages[person] = stage
                    state.count += 1
                    return state.count
                }
            }
        }
    }
#endif
