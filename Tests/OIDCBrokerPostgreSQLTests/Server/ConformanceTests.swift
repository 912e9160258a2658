// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOCore
    import NIOPosix
    import OIDCBrokerTesting
    import SingleUse
    import StoreTesting
    import Testing
    import TestingSupport

    @testable import OIDCBrokerPostgreSQL

    /// The requirements of every store, on a real server.
    @Suite(.onSockets, .timeLimit(.minutes(10)))
    struct ConformanceTests {
        @Test func `every requirement of a store is met on several event loops`() async throws {
            try await PostgreSQLServer.run { server async throws in
                let group = MultiThreadedEventLoopGroup(numberOfThreads: 3)
                let store = try server.store(connections: 3)
                await server.makeConnections(of: store)
                let failures = try await SingleUseStoreConformance.failures({ store }, on: group) {
                    try await Task.sleep(for: $0)
                }
                #expect(failures == [])
                await store.shutdown()
                try await group.shutdownGracefully()
            }
        }

        @Test func `of 64 at once on several connections one wins, and gets the value again`() async throws {
            try await PostgreSQLServer.run { server async throws in
                let group = MultiThreadedEventLoopGroup(numberOfThreads: 4)
                let store = try server.store(connections: 8)
                await server.makeConnections(of: store)
                for round: UInt8 in 1...20 {
                    _ = try await StoreCaller(store).put(.test(round), [round])
                    let attempts = (0..<64).map { _ in SingleUseAttempt() }
                    let winners = try await withThrowingTaskGroup(of: SingleUseAttempt?.self) { tasks in
                        for attempt in attempts {
                            let caller = StoreCaller(store, on: group.next())
                            tasks.addTask {
                                // Takes and claims of one key exclude each other, too.
                                if attempt.bytes[0] % 2 == 0 {
                                    return try await caller.take(.test(round), attempt).value == nil ? nil : attempt
                                }
                                return try await caller.claim(.test(round), attempt) == .won ? attempt : nil
                            }
                        }
                        var winners: [SingleUseAttempt] = []
                        for try await winner in tasks { if let winner { winners.append(winner) } }
                        return winners
                    }
                    #expect(winners.count == 1)
                    for winner in winners {
                        #expect(try await StoreCaller(store).claim(.test(round), winner) == .won)
                    }
                }
                await store.shutdown()
                try await group.shutdownGracefully()
            }
        }

        @Test func `the same attempt at once gets the value each time`() async throws {
            try await PostgreSQLServer.run { server async throws in
                let attempt = SingleUseAttempt()
                let caller = try PostgreSQLConnectionCaller(server)
                _ = try await caller.ask(.put(.test(1), value: [7], lifetime: .seconds(60)))
                // Nothing removes it here.
                let takes = try await withThrowingTaskGroup(of: SingleUseTake.self) { tasks in
                    for _ in 0..<4 {
                        let caller = try PostgreSQLConnectionCaller(server)
                        tasks.addTask {
                            let question = PostgreSQLQuestion.take(
                                .test(1), attempt: attempt, claimLifetime: .seconds(60))
                            return try PostgreSQLAnswers.take(try await caller.ask(question))
                        }
                    }
                    var takes: [SingleUseTake] = []
                    for try await take in tasks { takes.append(take) }
                    return takes
                }
                #expect(takes == Array(repeating: .value([7]), count: 4))
                let other = PostgreSQLQuestion.take(.test(1), attempt: SingleUseAttempt(), claimLifetime: .seconds(60))
                #expect(try PostgreSQLAnswers.take(try await caller.ask(other)) == .taken)
            }
        }

        @Test func `what expired a minute ago is removed, and nothing else`() async throws {
            try await PostgreSQLServer.run { server async throws in
                for (table, column) in [("oidc_broker_claim", "attempt"), ("oidc_broker_value", "value")] {
                    try await server.ask(
                        """
                        INSERT INTO \(table) (key, \(column), expires)
                        SELECT sha256(number::text::bytea), '', clock_timestamp() - interval '2 minutes'
                        FROM generate_series(1, 1500) AS number;
                        INSERT INTO \(table) (key, \(column), expires) VALUES
                            ('late', '', clock_timestamp() - interval '10 seconds'),
                            ('live', '', clock_timestamp() + interval '10 minutes');
                        """)
                }
                let caller = try PostgreSQLConnectionCaller(server)
                for statement in [PostgreSQLStatement.sweepClaims, .sweepValues] {
                    let counts = [
                        try await caller.ask(PostgreSQLQuestion(statement: statement)).get().rows.count,
                        try await caller.ask(PostgreSQLQuestion(statement: statement)).get().rows.count,
                        try await caller.ask(PostgreSQLQuestion(statement: statement)).get().rows.count,
                    ]
                    #expect(counts == [1000, 500, 0])
                }
                let left = try await server.ask("SELECT count(*) FROM oidc_broker_claim")
                #expect(left.onlyTexts == ["2"])
            }
        }
    }
#endif
