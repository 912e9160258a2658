// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    public import Logging
    import NIOCore

    extension PostgreSQLAccountStore {
        /// Opens the accounts of a project. It blocks for seconds at most: call it while the process starts.
        ///
        /// A server that cannot be used is refused: without the tables, with those of a newer version, or with the
        /// accounts of another project. One that does not answer is not: it is examined at each connection that is made
        /// later.
        /// - Parameters:
        ///   - configuration: Which server is used, and with how many connections.
        ///   - project: The ID of the project whose accounts these are.
        ///   - isServing: Whether it is the store of a server, which notes its project where none is noted yet, and
        ///     starts while the database is away. Otherwise both are refused, for a process that only uses what a server
        ///     has made.
        ///   - logger: Where a server that is away, or cannot be used, is logged, at most once a minute.
        /// - Throws: ``PostgreSQLStoreError``.
        public static func open(
            _ configuration: PostgreSQLConfiguration, project: String, isServing: Bool = true, logger: Logger
        ) throws(PostgreSQLStoreError) -> PostgreSQLAccountStore {
            let session = PostgreSQLSession.accounts(of: project, isServing: isServing)
            do throws(PostgreSQLStoreError) {
                _ = try PostgreSQLConnector(configuration.connection).open(
                    session, within: AccountThread.connectTimeout,
                    before: NIODeadline.now() + AccountThread.longestConnect)
            } catch {
                guard isServing, !error.isRefusal else { throw error }
                logger.warning(
                    "cannot reach the PostgreSQL server of the accounts",
                    metadata: ["code": "\(error.code)", "detail": "\(error.detail)"])
            }
            return PostgreSQLAccountStore(configuration, session: session, logger: logger)
        }
    }
#endif
