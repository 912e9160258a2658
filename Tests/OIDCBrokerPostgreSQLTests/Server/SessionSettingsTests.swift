// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOCore
    import NIOPosix
    import Testing
    import TestingSupport

    @testable import OIDCBrokerPostgreSQL

    /// What a connection sets on a real server.
    @Suite(.onSockets, .timeLimit(.minutes(10)))
    struct SessionSettingsTests {
        /// Without scans the planner's costs are so high that a server compiles the simplest question, for up to a second
        /// of a processor at each new connection (PostgreSQL 15 with its package's defaults).
        @Test func `no question is compiled`() async throws {
            try await PostgreSQLServer.run { server async throws in
                let string = try server.connection()
                let setting = try await NIOThreadPool.singleton.runIfActive {
                    let deadline = NIODeadline.now() + .seconds(10)
                    let connection = try PostgreSQLConnector(string).connect(before: deadline)
                    _ = try connection.ask(PostgreSQLHandshake.sessionQuestion(""), before: deadline)
                    return try connection.ask("SELECT current_setting('jit')", before: deadline).onlyTexts
                }
                #expect(setting == ["off"])
            }
        }
    }
#endif
