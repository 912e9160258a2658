// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOCore

    extension PostgreSQLSession {
        /// That of the store of accounts.
        ///
        /// A transaction in which nothing is asked for two seconds is of a process that was stopped. It ends before those
        /// fail that wait for it.
        /// - Parameters:
        ///   - project: The ID of the project whose accounts these are.
        ///   - isServing: Whether the project is noted where none is noted yet.
        static func accounts(of project: String, isServing: Bool) -> PostgreSQLSession {
            PostgreSQLSession(
                settings: """
                    SET statement_timeout = 3000;
                    SET idle_in_transaction_session_timeout = 2000;
                    """,
                schemaQuestion: isServing
                    ? AccountsSchema.noteProject(project) + AccountsSchema.question : AccountsSchema.question,
                examineSchema: { (rows: PostgreSQLRows) throws(PostgreSQLStoreError) in
                    try AccountsSchema.examine(rows, of: project)
                },
                statements: PreparedAccountStatement.all, time: .seconds(1))
        }
    }
#endif
