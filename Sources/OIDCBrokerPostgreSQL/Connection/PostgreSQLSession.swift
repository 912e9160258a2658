// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOCore

    /// What a store asks of each connection that it makes, before it uses it.
    struct PostgreSQLSession: Sendable {
        /// What it sets, as statements that end with semicolons.
        let settings: String
        /// Asks for what has to be known of the tables.
        let schemaQuestion: String
        /// Examines the answer to that.
        let examineSchema: @Sendable (PostgreSQLRows) throws(PostgreSQLStoreError) -> Void
        /// The statements that are prepared.
        let statements: [any PreparedStatement]
        /// The time in which a server answers all of this, once it is connected.
        let time: TimeAmount

        /// That of the single-use store. A new process of the server reads its catalogs with the first question, for which
        /// it needs longer than for an operation: what it has read is lost if it is stopped.
        static let singleUse = PostgreSQLSession(
            settings: "SET statement_timeout = 1000;",
            schemaQuestion: PostgreSQLHandshake.schemaQuestion + ";\nSET statement_timeout = 300",
            examineSchema: { (rows: PostgreSQLRows) throws(PostgreSQLStoreError) in
                try PostgreSQLHandshake.examine(schema: rows)
            },
            statements: PostgreSQLStatement.allCases, time: .milliseconds(400))
    }
#endif
