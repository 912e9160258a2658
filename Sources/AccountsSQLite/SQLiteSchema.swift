// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import GRDB

    /// The tables, which hold the invariants of accounts, and how a database gets from one version to the next.
    ///
    /// Texts are compared by their bytes. Issuers and subjects are blobs, since a text ends at its first zero byte for SQLite.
    enum SQLiteSchema {
        /// What tells a database of accounts from any other: "OIDA".
        static let applicationID: Int32 = 0x4F49_4441

        /// The versions, in order. One that was released never changes.
        static var migrator: DatabaseMigrator {
            var migrator = DatabaseMigrator()
            migrator.registerMigration("1", foreignKeyChecks: .immediate) { try $0.execute(sql: version1) }
            // What was imported with an account.
            migrator.registerMigration("2", foreignKeyChecks: .immediate) {
                try $0.execute(sql: "ALTER TABLE account ADD COLUMN imported TEXT")
            }
            migrator.registerMigration("3", foreignKeyChecks: .immediate) { try $0.execute(sql: version3) }
            // Events that wait to be delivered.
            migrator.registerMigration("4", foreignKeyChecks: .immediate) { try $0.execute(sql: version4) }
            // The provider's session in which a session began.
            migrator.registerMigration("6", foreignKeyChecks: .immediate) { try $0.execute(sql: version6) }
            // The claims of the newest sign-in with an identity.
            migrator.registerMigration("7", foreignKeyChecks: .immediate) {
                try $0.execute(sql: "ALTER TABLE identity ADD COLUMN claims TEXT")
            }
            return migrator
        }

        private static let version6 = """
            ALTER TABLE session ADD COLUMN provider_session BLOB;
            CREATE INDEX session_by_provider_session ON session (provider_session)
            WHERE provider_session IS NOT NULL;
            """

        /// The sessions of OpenID apps. What an older version wrote is of the SDKs' wire.
        private static let version3 = """
            ALTER TABLE session ADD COLUMN wire INTEGER NOT NULL DEFAULT 0 CHECK (wire IN (0, 1));
            ALTER TABLE session ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE session ADD COLUMN last_used_at INTEGER;
            ALTER TABLE session ADD COLUMN key_id BLOB;
            ALTER TABLE session ADD COLUMN rotations BLOB;
            ALTER TABLE session ADD COLUMN scope TEXT;
            ALTER TABLE session ADD COLUMN claims TEXT;

            DROP TRIGGER session_is_constant;
            CREATE TRIGGER session_is_constant BEFORE UPDATE ON session
            WHEN new.id <> old.id OR new.uid <> old.uid OR new.auth_time <> old.auth_time
                OR new.created_at <> old.created_at OR new.app IS NOT old.app OR new.wire <> old.wire
                OR new.scope IS NOT old.scope OR new.claims IS NOT old.claims OR new.generation < old.generation
                OR (new.secret_hash <> old.secret_hash AND new.generation = old.generation)
            BEGIN SELECT RAISE(ABORT, 'a constant of a session'); END;
            """

        /// A position is never used again, so that the events of an account stay in order.
        private static let version4 = """
            CREATE TABLE event (
                position INTEGER PRIMARY KEY AUTOINCREMENT,
                id TEXT NOT NULL,
                type TEXT NOT NULL,
                uid TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                body TEXT NOT NULL,
                destination TEXT NOT NULL,
                attempts INTEGER NOT NULL,
                due_at INTEGER NOT NULL,
                claimed_until INTEGER NOT NULL,
                given_up_at INTEGER,
                detail TEXT
            ) STRICT;
            CREATE INDEX event_by_account ON event (destination, uid, position) WHERE given_up_at IS NULL;
            CREATE INDEX event_by_due ON event (destination, due_at, position) WHERE given_up_at IS NULL;
            CREATE INDEX event_given_up ON event (destination, position) WHERE given_up_at IS NOT NULL;
            CREATE INDEX event_by_age ON event (created_at);
            """

        private static let version1 = """
            CREATE TABLE project (
                only INTEGER PRIMARY KEY CHECK (only = 1),
                id TEXT NOT NULL
            ) STRICT;

            CREATE TABLE account (
                uid TEXT PRIMARY KEY,
                created_at INTEGER NOT NULL,
                last_sign_in_at INTEGER NOT NULL,
                last_refresh_at INTEGER,
                display_name TEXT,
                photo_url TEXT,
                email TEXT,
                email_key TEXT UNIQUE CHECK (email_key IS NULL OR email IS NOT NULL),
                email_verified INTEGER NOT NULL,
                disabled INTEGER NOT NULL,
                valid_since INTEGER NOT NULL,
                found_by_email INTEGER NOT NULL,
                custom_claims TEXT
            ) STRICT, WITHOUT ROWID;

            CREATE TRIGGER account_is_constant BEFORE UPDATE ON account
            WHEN new.valid_since < old.valid_since OR new.created_at <> old.created_at OR new.uid <> old.uid
            BEGIN SELECT RAISE(ABORT, 'a constant of an account'); END;

            CREATE TABLE identity (
                position INTEGER PRIMARY KEY,
                issuer BLOB NOT NULL,
                subject BLOB NOT NULL,
                uid TEXT NOT NULL REFERENCES account (uid) ON DELETE CASCADE,
                provider_id TEXT NOT NULL,
                email TEXT,
                email_verified INTEGER NOT NULL,
                private_relay INTEGER NOT NULL,
                display_name TEXT,
                photo_url TEXT,
                created_at INTEGER NOT NULL,
                last_used_at INTEGER NOT NULL,
                token_hash BLOB,
                token_expiry INTEGER,
                revoked_at INTEGER,
                UNIQUE (issuer, subject),
                UNIQUE (uid, provider_id)
            ) STRICT;

            CREATE TRIGGER identity_is_constant BEFORE UPDATE ON identity
            WHEN new.uid <> old.uid OR new.issuer <> old.issuer OR new.subject <> old.subject
                OR new.created_at <> old.created_at
            BEGIN SELECT RAISE(ABORT, 'a constant of an identity'); END;

            CREATE TABLE session (
                id BLOB PRIMARY KEY CHECK (length(id) = 16),
                secret_hash BLOB NOT NULL CHECK (length(secret_hash) = 32),
                uid TEXT NOT NULL REFERENCES account (uid) ON DELETE CASCADE,
                provider_id TEXT NOT NULL,
                app TEXT,
                auth_time INTEGER NOT NULL,
                last_proof_at INTEGER,
                created_at INTEGER NOT NULL,
                last_used_on INTEGER NOT NULL,
                expiry INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX session_by_use ON session (uid, last_used_on, created_at, id);
            CREATE INDEX session_by_expiry ON session (expiry);

            CREATE TRIGGER session_is_constant BEFORE UPDATE ON session
            WHEN new.id <> old.id OR new.secret_hash <> old.secret_hash OR new.uid <> old.uid
                OR new.auth_time <> old.auth_time OR new.created_at <> old.created_at OR new.app IS NOT old.app
            BEGIN SELECT RAISE(ABORT, 'a constant of a session'); END;

            CREATE TABLE consumed (
                hash BLOB PRIMARY KEY,
                expiry INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX consumed_by_expiry ON consumed (expiry);
            """
    }
#endif
