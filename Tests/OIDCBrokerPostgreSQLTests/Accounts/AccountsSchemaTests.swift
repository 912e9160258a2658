// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Accounts
    import AccountsTestSupport
    import NIOCore
    import NIOPosix
    import OIDCBrokerTesting
    import StoreTesting
    import Testing
    import TestingSupport

    @testable import OIDCBrokerPostgreSQL

    /// The tables of accounts on a real server, and who may use them.
    @Suite(.onSockets, .timeLimit(.minutes(10)))
    struct AccountsSchemaTests {
        private static func expectRefused(
            _ error: PostgreSQLStoreError, because reason: String = "", _ server: PostgreSQLServer,
            user: String = "broker", _ more: String = "", project: String = "test", isServing: Bool = true
        ) async {
            let found = await #expect(throws: error) {
                let store = try await server.accounts(user: user, more, project: project, isServing: isServing)
                await store.shutdown()
            }
            #expect(found?.detail.contains(reason) == true)
        }

        @Test func `a database without the tables, of a newer version, or of another project is refused at the start`()
            async throws
        {
            try await PostgreSQLServer.run(isMigrated: false) { server async throws in
                await Self.expectRefused(.wrongSchema, server)
                try await PostgreSQLSchema.migrate(try server.connection())
                // A command uses only what a server has used.
                await Self.expectRefused(.wrongSchema, because: "no server", server, isServing: false)
                let store = try await server.accounts()
                _ = try await AccountCaller(store).add("ada")
                await store.shutdown()
                await Self.expectRefused(.wrongSchema, because: "another project", server, project: "other")
                await Self.expectRefused(.wrongSchema, because: "another project", server, project: "tes")
                try await server.ask("ALTER TABLE oidc_broker_consumed SET UNLOGGED")
                await Self.expectRefused(.wrongSchema, because: "not logged", server)
                try await server.ask("ALTER TABLE oidc_broker_consumed SET LOGGED")
                try await server.ask("UPDATE oidc_broker_accounts_schema SET version = 999")
                await Self.expectRefused(.wrongSchema, because: "a newer version", server)
                await #expect(throws: PostgreSQLStoreError.wrongSchema) {
                    try await PostgreSQLSchema.migrate(try server.connection())
                }
                // Those of version 1 are brought up to date. What is there stays.
                try await server.ask(
                    """
                    ALTER TABLE oidc_broker_account DROP COLUMN imported, DROP CONSTRAINT oidc_broker_account_uid_check,
                        ADD CONSTRAINT oidc_broker_account_uid_check CHECK (octet_length(uid) BETWEEN 1 AND 128);
                    \(Self.toVersion2)
                    UPDATE oidc_broker_accounts_schema SET version = 1
                    """)
                await Self.expectRefused(.wrongSchema, because: "version 1", server)
                try await PostgreSQLSchema.migrate(try server.connection())
                try await PostgreSQLSchema.migrate(try server.connection())
                let command = try await server.accounts(isServing: false)
                #expect(try await AccountCaller(command).contents().accounts.map(\.id.text) == ["ada"])
                let long = String(repeating: "\u{611B}", count: AccountID.maximumLength)
                _ = try await AccountCaller(command).add(long)
                #expect(try await AccountCaller(command).contents().accounts.map(\.id.text) == ["ada", long])
                await command.shutdown()
                // So are those of version 2, which had no outbox.
                try await server.ask("\(Self.toVersion2) UPDATE oidc_broker_accounts_schema SET version = 2")
                await Self.expectRefused(.wrongSchema, because: "version 2", server)
                try await PostgreSQLSchema.migrate(try server.connection())
                let migrated = try await server.accounts()
                #expect(try await AccountCaller(migrated).read { try $0.outbox?.events(after: 0, limit: 1) } == [])
                await migrated.shutdown()
            }
        }

        @Test func `tables without the sessions of providers are brought up to date, and have sessions by them`()
            async throws
        {
            try await PostgreSQLServer.run { server async throws in
                let first = try await server.accounts()
                let ada = try await AccountCaller(first).add("ada")
                await first.shutdown()
                try await server.ask(
                    """
                    \(Self.toVersion5)
                    UPDATE oidc_broker_accounts_schema SET version = 5
                    """)
                await Self.expectRefused(.wrongSchema, because: "version 5", server)
                for _ in 0..<2 { try await PostgreSQLSchema.migrate(try server.connection()) }
                let store = try await server.accounts()
                let caller = AccountCaller(store)
                let hash = AccountSession.hash(ofProviderSession: "s-1", issuer: "https://p")
                let session = AccountSession(
                    id: AccountSession.ID(), secretHash: hash, account: ada.id, providerID: "p", app: nil, authTime: 1,
                    createdAt: 1, expiry: 9, providerSession: hash)
                try await caller.write { try $0.insert(session) }
                #expect(try await caller.contents().sessions == [session])
                #expect(try await caller.read { try $0.sessions(begunIn: hash) } == [session])
                await store.shutdown()
            }
        }

        @Test func `tables without the claims of identities are brought up to date, and keep them from then on`()
            async throws
        {
            try await PostgreSQLServer.run { server async throws in
                let first = try await server.accounts()
                _ = try await AccountCaller(first).add("ada")
                await first.shutdown()
                try await server.ask("\(Self.toVersion6) UPDATE oidc_broker_accounts_schema SET version = 6")
                await Self.expectRefused(.wrongSchema, because: "version 6", server)
                for _ in 0..<2 { try await PostgreSQLSchema.migrate(try server.connection()) }
                let store = try await server.accounts()
                let caller = AccountCaller(store)
                let key = try #require(try await caller.contents().identities.first?.key)
                #expect(try await caller.read { try $0.claims(of: key) } == nil)
                try await caller.write { try $0.setClaims("{}", of: key) }
                #expect(try await caller.read { try $0.claims(of: key) } == "{}")
                await store.shutdown()
            }
        }

        /// Takes back what version 7 added.
        private static let toVersion6 = "ALTER TABLE oidc_broker_identity DROP COLUMN claims;"

        /// Takes back what version 6 and later ones added.
        private static let toVersion5 = """
            \(toVersion6)
            ALTER TABLE oidc_broker_session DROP COLUMN provider_session;
            """

        /// Takes back what version 3 and later ones added.
        private static let toVersion2 = """
            \(toVersion5)
            DROP TABLE oidc_broker_event;
            DROP TRIGGER oidc_broker_session_is_constant ON oidc_broker_session;
            ALTER TABLE oidc_broker_session DROP COLUMN wire, DROP COLUMN generation, DROP COLUMN last_used_at,
                DROP COLUMN key_id, DROP COLUMN rotations, DROP COLUMN scope, DROP COLUMN claims;
            CREATE TRIGGER oidc_broker_session_is_constant BEFORE UPDATE ON oidc_broker_session FOR EACH ROW
            WHEN (new.id <> old.id OR new.secret_hash <> old.secret_hash OR new.uid <> old.uid)
            EXECUTE FUNCTION oidc_broker_refuse_change();
            """

        @Test func `the sessions of tables of version 2 are of the wire of the SDKs, and go on`() async throws {
            try await PostgreSQLServer.run { server async throws in
                let first = try await server.accounts()
                _ = try await AccountCaller(first).add("ada")
                await first.shutdown()
                try await server.ask(
                    """
                    \(Self.toVersion2)
                    INSERT INTO oidc_broker_session VALUES
                        (decode(repeat('00', 16), 'hex'), decode(repeat('00', 32), 'hex'), 'ada', 'p', 'web', 1, NULL, 1,
                        0, 9);
                    UPDATE oidc_broker_accounts_schema SET version = 2
                    """)
                await Self.expectRefused(.wrongSchema, because: "version 2", server)
                try await PostgreSQLSchema.migrate(try server.connection())
                let store = try await server.accounts()
                #expect(try await AccountCaller(store).contents().sessions.map(\.wire) == [.sdk])
                try await server.ask("UPDATE oidc_broker_session SET expiry = 10")
                // The new rule is in its place: without a rotation there is no other secret.
                await #expect(throws: (any Error).self) {
                    try await server.ask("UPDATE oidc_broker_session SET secret_hash = sha256('other')")
                }
                await store.shutdown()
            }
        }

        @Test func `a server that acknowledges too early, or does not know the user, is refused at the start`()
            async throws
        {
            try await PostgreSQLServer.run { server async throws in
                await Self.expectRefused(.notDurable, server, "options='-c synchronous_commit=off'")
                await Self.expectRefused(.wrongPassword, server, user: "nobody")
            }
        }

        @Test func `a store starts while the server is away, and a command does not`() async throws {
            try await PostgreSQLServer.run { server async throws in
                await server.stop()
                await Self.expectRefused(.unreachable, server, isServing: false)
                let store = try await server.accounts()
                let caller = AccountCaller(store)
                let error = await #expect(throws: AccountStoreError.self) { _ = try await caller.contents() }
                #expect(error?.code == .unavailable)
                try await server.start()
                await caller.makeConnections()
                #expect(try await caller.contents().accounts.isEmpty)
                await store.shutdown()
            }
        }

        @Test func `serving needs no right to create`() async throws {
            try await PostgreSQLServer.run { server async throws in
                try await server.ask(
                    """
                    CREATE ROLE app LOGIN;
                    GRANT SELECT, INSERT, UPDATE, DELETE ON oidc_broker_account, oidc_broker_identity,
                        oidc_broker_session, oidc_broker_consumed, oidc_broker_event TO app;
                    GRANT SELECT ON oidc_broker_accounts_schema TO app;
                    GRANT SELECT, INSERT ON oidc_broker_accounts_project TO app;
                    GRANT UPDATE ON oidc_broker_accounts_lock TO app;
                    """)
                let may = try await server.ask("SELECT has_schema_privilege('app', 'public', 'CREATE')")
                #expect(may.onlyTexts == ["f"])
                let store = try await server.accounts(user: "app")
                let caller = AccountCaller(store)
                let ada = try await caller.add("ada").id
                #expect(try await caller.write { try $0.consume([1], expiry: 5) })
                #expect(try await caller.contents().identities.count == 1)
                #expect(try await store.sweep(before: 9, limit: 9, on: caller.eventLoop).get() == 1)
                try await caller.write { try $0.remove(ada) }
                #expect(try await caller.contents().accounts.isEmpty)
                try await Self.writeAlone(PostgreSQLConnector(try server.connection(user: "app")))
                await store.shutdown()
            }
        }

        /// Writes as after a failure.
        private static func writeAlone(_ connector: PostgreSQLConnector) async throws {
            try await NIOThreadPool.singleton.runIfActive {
                let deadline = NIODeadline.now() + .seconds(10)
                let connection = try connector.open(.accounts(of: "test", isServing: true), before: deadline)
                let transaction = PostgreSQLAccountTransaction(connection, kind: .write(.everything), end: deadline)
                #expect(try transaction.consume([2], expiry: 5))
                try transaction.commit()
            }
        }

        @Test func `the database holds the invariants by itself`() async throws {
            try await PostgreSQLServer.run { server async throws in
                for (uid, key) in [("ada", "'a@b'"), ("bob", "NULL")] {
                    try await server.ask(
                        """
                        INSERT INTO oidc_broker_account (
                            uid, created_at, last_sign_in_at, email, email_key, email_verified, disabled, valid_since,
                            found_by_email
                        ) VALUES ('\(uid)', 0, 0, 'a@b', \(key), false, false, 5, true)
                        """)
                }
                try await server.ask(
                    """
                    INSERT INTO oidc_broker_identity \(Self.identity) VALUES ('i', 's', 'ada', 'p', false, false, 0, 0);
                    INSERT INTO oidc_broker_session \(Self.session)
                    VALUES (substr(sha256('a'), 1, 16), sha256('a'), 'ada', 'p', 0, 0, 0, 0)
                    """)
                for (statement, state) in Self.violations {
                    let error = await #expect(throws: PostgreSQLStoreError.self) { try await server.ask(statement) }
                    #expect(error?.sqlState == state, "\(statement)")
                }
                try await server.ask("DELETE FROM oidc_broker_account WHERE uid = 'ada'")
                let left = try await server.ask(
                    "SELECT (SELECT count(*) FROM oidc_broker_identity), (SELECT count(*) FROM oidc_broker_session)")
                #expect(left.onlyTexts == ["0", "0"])
            }
        }

        private static let identity = """
            (issuer, subject, uid, provider_id, email_verified, private_relay, created_at, last_used_at)
            """
        private static let session = """
            (id, secret_hash, uid, provider_id, auth_time, created_at, last_used_on, expiry)
            """
        private static let violations = [
            ("INSERT INTO oidc_broker_identity \(identity) VALUES ('i', 's', 'bob', 'q', false, false, 0, 0)", "23505"),
            ("INSERT INTO oidc_broker_identity \(identity) VALUES ('i', 't', 'ada', 'p', false, false, 0, 0)", "23505"),
            ("INSERT INTO oidc_broker_identity \(identity) VALUES ('i', 't', 'eve', 'p', false, false, 0, 0)", "23503"),
            (
                "INSERT INTO oidc_broker_session \(session) VALUES (sha256('a'), sha256('a'), 'ada', 'p', 0, 0, 0, 0)",
                "23514"
            ),
            ("UPDATE oidc_broker_account SET email_key = 'a@b' WHERE uid = 'bob'", "23505"),
            ("UPDATE oidc_broker_account SET email = NULL WHERE uid = 'ada'", "23514"),
            ("UPDATE oidc_broker_account SET valid_since = 4 WHERE uid = 'ada'", "23514"),
            ("UPDATE oidc_broker_account SET created_at = 1 WHERE uid = 'ada'", "23514"),
            ("UPDATE oidc_broker_identity SET uid = 'bob', provider_id = 'q'", "23514"),
            ("UPDATE oidc_broker_session SET auth_time = 1", "23514"),
        ]
    }
#endif
