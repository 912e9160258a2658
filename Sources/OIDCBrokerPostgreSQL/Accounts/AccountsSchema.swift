// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import JOSE

    /// The tables of a ``PostgreSQLAccountStore``, which hold the invariants of accounts.
    ///
    /// Texts are bytes, as they were received: they are compared by those whatever the locale of the database is, and
    /// may hold NUL, which no `text` can. What may be long is in an index by its hash.
    enum AccountsSchema {
        /// The version of the tables.
        static let version = 7

        /// Asks for the version of the tables, how many of them are logged, and whose accounts they hold.
        static let question = """
            SELECT version, (
                SELECT count(*) FROM pg_catalog.pg_class
                WHERE oid IN (
                    to_regclass('oidc_broker_account'), to_regclass('oidc_broker_identity'),
                    to_regclass('oidc_broker_session'), to_regclass('oidc_broker_consumed'),
                    to_regclass('oidc_broker_event')
                ) AND relpersistence = 'p'
            ), (SELECT encode(id, 'hex') FROM oidc_broker_accounts_project) FROM oidc_broker_accounts_schema
            """

        /// Notes whose accounts the tables of this version hold, if that is not noted yet.
        static func noteProject(_ project: String) -> String {
            """
            INSERT INTO oidc_broker_accounts_project (id)
            SELECT decode('\(Hexadecimal.text(project.utf8))', 'hex') FROM oidc_broker_accounts_schema
            WHERE version = \(version) AND NOT EXISTS (SELECT FROM oidc_broker_accounts_project)
            ON CONFLICT DO NOTHING;

            """
        }

        /// Examines the answer to ``question``.
        static func examine(_ rows: PostgreSQLRows, of project: String) throws(PostgreSQLStoreError) {
            try examine(rows)
            guard let known = rows.onlyTexts?.last ?? nil else {
                throw PostgreSQLStoreError.wrongSchema.with("no server has used the tables of accounts")
            }
            guard known.hasSameBytes(as: Hexadecimal.text(project.utf8)) else {
                throw PostgreSQLStoreError.wrongSchema.with("the tables hold the accounts of another project")
            }
        }

        /// Examines the answer to ``question`` of tables that a server may still have to use for the first time.
        static func examine(_ rows: PostgreSQLRows, ofNoOtherThan project: String) throws(PostgreSQLStoreError) {
            try examine(rows)
            guard (rows.onlyTexts?.last ?? nil) != nil else { return }
            try examine(rows, of: project)
        }

        /// Examines the answer to ``question``, whosever accounts they are.
        static func examine(_ rows: PostgreSQLRows) throws(PostgreSQLStoreError) {
            guard let row = rows.onlyTexts, row.count == 3, let found = row[0].flatMap({ Int($0) }),
                let logged = row[1]
            else { throw PostgreSQLStoreError.wrongSchema.with("no version of the tables of accounts") }
            guard found <= version else {
                throw PostgreSQLStoreError.wrongSchema.with(
                    "version \(found) of the tables of accounts, which a newer version of this program made")
            }
            guard found == version else {
                throw PostgreSQLStoreError.wrongSchema.with("version \(found) of the tables of accounts")
            }
            guard logged == "5" else {
                throw PostgreSQLStoreError.wrongSchema.with("a table of accounts is missing or not logged")
            }
        }
    }
#endif
