// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOCore
    import NIOPosix

    /// The tables of a ``PostgreSQLSingleUseStore`` and of a ``PostgreSQLAccountStore``.
    public enum PostgreSQLSchema {
        /// The version of the tables of the single-use store.
        static let version = 1
        /// The number of the lock under which one process at a time makes the tables: the bytes of "oidcbrok".
        private static let lock: Int64 = 0x6F69_6463_6272_6F6B
        /// The time in which the tables must be made, with the wait for another process.
        private static let patience = TimeAmount.seconds(30)

        /// The statements that make what is missing. They may be run again, and change nothing then.
        ///
        /// The tables are logged ones, so that a crash of the server loses nothing that was acknowledged.
        public static let sql = """
            CREATE TABLE IF NOT EXISTS oidc_broker_claim (
                key bytea PRIMARY KEY,
                attempt bytea NOT NULL,
                expires timestamptz NOT NULL
            );
            CREATE INDEX IF NOT EXISTS oidc_broker_claim_expires ON oidc_broker_claim (expires);
            CREATE TABLE IF NOT EXISTS oidc_broker_value (
                key bytea PRIMARY KEY,
                value bytea NOT NULL,
                expires timestamptz NOT NULL
            );
            CREATE INDEX IF NOT EXISTS oidc_broker_value_expires ON oidc_broker_value (expires);
            CREATE TABLE IF NOT EXISTS oidc_broker_schema (
                only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
                version integer NOT NULL
            );
            INSERT INTO oidc_broker_schema (version) VALUES (\(version)) ON CONFLICT DO NOTHING;
            \(AccountsSchema.sql)

            """

        /// Makes the tables, or what is missing of them. Other processes that do the same are waited for.
        /// - Throws: ``PostgreSQLStoreError``, which is `wrongSchema` if there are tables of another version. Those are
        ///   left as they are.
        public static func migrate(_ connection: PostgreSQLConnectionString) async throws {
            try await NIOThreadPool.singleton.runIfActive { try migrateNow(connection) }
        }

        private static func migrateNow(_ string: PostgreSQLConnectionString) throws(PostgreSQLStoreError) {
            let deadline = NIODeadline.now() + patience
            let connector = PostgreSQLConnector(string)
            let connection = try connector.connect(before: deadline)
            // A server says this of each table that is there already.
            _ = try connection.ask("SET client_min_messages = warning", before: deadline)
            _ = try connection.ask(
                "BEGIN; SELECT pg_advisory_xact_lock(\(lock)); \(sql) COMMIT;", before: deadline)
            try PostgreSQLHandshake.examine(
                schema: try connection.ask(PostgreSQLHandshake.schemaQuestion, before: deadline))
            try AccountsSchema.examine(try connection.ask(AccountsSchema.question, before: deadline))
            if connection.notices.takeWarning() { throw PostgreSQLStoreError.notDurable }
        }
    }
#endif
