// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    /// What is asked of a server before anything is stored there, and whether its answers will do. It performs no I/O.
    enum PostgreSQLHandshake {
        /// The oldest version that is used.
        static let oldestVersion = 14

        /// Sets what every statement depends on, and asks what has to be known of the server.
        ///
        /// The warnings tell of a commit that may be lost. Without scans of whole tables, a plan that was made while
        /// the tables were empty is of use when they are not. What is then left to scan, such as a table of one row, costs
        /// the planner more than its bound for compiling: each new connection compiled it, for up to a second, so `jit` is
        /// off.
        /// - Parameter settings: What else is set, as statements that end with semicolons.
        static func sessionQuestion(_ settings: String) -> String {
            """
            SET client_min_messages = warning;
            SET default_transaction_isolation = 'read committed';
            SET enable_seqscan = off;
            SET jit = off;
            \(settings)
            SELECT pg_is_in_recovery(), current_setting('default_transaction_read_only'),
                current_setting('synchronous_commit'), floor(extract(epoch FROM clock_timestamp()))::bigint
            """
        }

        /// Asks for the version of the tables, and how many of the two others are logged.
        static let schemaQuestion = """
            SELECT version, (
                SELECT count(*) FROM pg_catalog.pg_class
                WHERE oid IN (to_regclass('oidc_broker_claim'), to_regclass('oidc_broker_value'))
                    AND relpersistence = 'p'
            ) FROM oidc_broker_schema
            """

        /// Examines the version of a server, as the number 150004 for 15.4.
        static func examine(version: Int) throws(PostgreSQLStoreError) {
            guard version / 10_000 >= oldestVersion else {
                throw PostgreSQLStoreError.wrongVersion.with("version \(version / 10_000)")
            }
        }

        /// Examines the answer to ``sessionQuestion``.
        /// - Returns: The time of the server, in seconds since 1970.
        @discardableResult
        static func examine(state: PostgreSQLRows) throws(PostgreSQLStoreError) -> Int64 {
            let state = try PostgreSQLServerState(state)
            try state.examineRole()
            try state.examineCommit()
            return state.seconds
        }

        /// Examines the answer to ``schemaQuestion``.
        static func examine(schema: PostgreSQLRows) throws(PostgreSQLStoreError) {
            guard let row = schema.onlyTexts, row.count == 2, let version = row[0], let logged = row[1] else {
                throw PostgreSQLStoreError.wrongSchema.with("no version of the tables")
            }
            guard version == String(PostgreSQLSchema.version) else {
                throw PostgreSQLStoreError.wrongSchema.with("version \(version) of the tables")
            }
            guard logged == "2" else { throw PostgreSQLStoreError.wrongSchema.with("a table is missing or not logged") }
        }
    }
#endif
