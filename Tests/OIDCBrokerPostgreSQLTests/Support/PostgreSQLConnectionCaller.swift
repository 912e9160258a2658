// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOCore
    import NIOPosix

    @testable import OIDCBrokerPostgreSQL

    /// Asks a server over a connection for each question, as a thread of a store does, without the store.
    struct PostgreSQLConnectionCaller: Sendable {
        private let connector: PostgreSQLConnector

        init(_ server: PostgreSQLServer) throws {
            connector = PostgreSQLConnector(try server.connection())
        }

        /// Asks a question. It has ten seconds.
        func ask(_ question: PostgreSQLQuestion) async throws -> PostgreSQLAnswers.Answer {
            let connector = connector
            return try await NIOThreadPool.singleton.runIfActive {
                let deadline = NIODeadline.now() + .seconds(10)
                let connection = try connector.open(before: deadline)
                return connection.run([question], before: deadline).first ?? .failure(.unexpectedAnswer)
            }
        }
    }
#endif
