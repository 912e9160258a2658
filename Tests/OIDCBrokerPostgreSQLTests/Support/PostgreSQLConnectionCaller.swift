// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOCore
    import NIOPosix
    import TestingSupport

    @testable import OIDCBrokerPostgreSQL

    /// Asks a server over a connection for each question, as a thread of a store does, without the store.
    struct PostgreSQLConnectionCaller: Sendable {
        private let connector: PostgreSQLConnector

        init(_ server: PostgreSQLServer) throws {
            connector = PostgreSQLConnector(try server.connection())
        }

        /// On a busy machine, what a server is asked first may take longer than a statement may.
        private static func open(
            _ connector: PostgreSQLConnector, before deadline: NIODeadline
        ) throws -> PostgreSQLConnection {
            while NIODeadline.now() < deadline {
                do throws(PostgreSQLStoreError) {
                    return try connector.open(before: deadline)
                } catch {
                    guard error == .unreachable else { throw error }
                }
            }
            return try connector.open(before: deadline)
        }

        /// Asks a question. It has ten seconds.
        func ask(_ question: PostgreSQLQuestion) async throws -> PostgreSQLAnswers.Answer {
            let connector = connector
            return try await NIOThreadPool.singleton.runIfActive {
                let deadline = NIODeadline.now() + .seconds(10)
                let connection = try Self.open(connector, before: deadline)
                return connection.run([question], before: deadline).first ?? .failure(.unexpectedAnswer)
            }
        }
    }
#endif
