// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    extension AccountsSchema {
        /// The statements that make what is missing. They may be run again, and change nothing then.
        static let sql = """
            CREATE TABLE IF NOT EXISTS oidc_broker_accounts_schema (
                only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
                version integer NOT NULL
            );
            INSERT INTO oidc_broker_accounts_schema (version) VALUES (\(version)) ON CONFLICT DO NOTHING;
            CREATE TABLE IF NOT EXISTS oidc_broker_accounts_project (
                only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
                id bytea NOT NULL
            );
            CREATE TABLE IF NOT EXISTS oidc_broker_accounts_lock ();
            CREATE TABLE IF NOT EXISTS oidc_broker_account (
                uid bytea PRIMARY KEY CHECK (octet_length(uid) BETWEEN 1 AND 512),
                created_at bigint NOT NULL,
                last_sign_in_at bigint NOT NULL,
                last_refresh_at bigint,
                display_name bytea,
                photo_url bytea,
                email bytea,
                email_key bytea UNIQUE CHECK (email_key IS NULL OR email IS NOT NULL),
                email_verified boolean NOT NULL,
                disabled boolean NOT NULL,
                valid_since bigint NOT NULL,
                found_by_email boolean NOT NULL,
                custom_claims bytea,
                imported bytea
            );
            CREATE TABLE IF NOT EXISTS oidc_broker_identity (
                position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                issuer bytea NOT NULL,
                subject bytea NOT NULL,
                uid bytea NOT NULL REFERENCES oidc_broker_account (uid) ON DELETE CASCADE,
                provider_id bytea NOT NULL,
                email bytea,
                email_verified boolean NOT NULL,
                private_relay boolean NOT NULL,
                display_name bytea,
                photo_url bytea,
                created_at bigint NOT NULL,
                last_used_at bigint NOT NULL,
                token_hash bytea,
                token_expiry bigint,
                revoked_at bigint,
                claims bytea
            );
            CREATE UNIQUE INDEX IF NOT EXISTS oidc_broker_identity_key
            ON oidc_broker_identity (sha256(issuer), sha256(subject));
            CREATE UNIQUE INDEX IF NOT EXISTS oidc_broker_identity_provider
            ON oidc_broker_identity (uid, sha256(provider_id));
            CREATE TABLE IF NOT EXISTS oidc_broker_session (
                id bytea PRIMARY KEY CHECK (octet_length(id) = 16),
                secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
                uid bytea NOT NULL REFERENCES oidc_broker_account (uid) ON DELETE CASCADE,
                provider_id bytea NOT NULL,
                app bytea,
                auth_time bigint NOT NULL,
                last_proof_at bigint,
                created_at bigint NOT NULL,
                last_used_on bigint NOT NULL,
                expiry bigint NOT NULL,
                wire bigint NOT NULL DEFAULT 0 CHECK (wire IN (0, 1)),
                generation bigint NOT NULL DEFAULT 0,
                last_used_at bigint,
                key_id bytea,
                rotations bytea,
                scope bytea,
                claims bytea,
                provider_session bytea
            );
            CREATE INDEX IF NOT EXISTS oidc_broker_session_use
            ON oidc_broker_session (uid, last_used_on, created_at, id);
            CREATE INDEX IF NOT EXISTS oidc_broker_session_expiry ON oidc_broker_session (expiry);
            CREATE TABLE IF NOT EXISTS oidc_broker_consumed (
                hash bytea PRIMARY KEY,
                expiry bigint NOT NULL
            );
            CREATE INDEX IF NOT EXISTS oidc_broker_consumed_expiry ON oidc_broker_consumed (expiry);
            \(outbox)
            \(constants)
            \(migrations)
            CREATE INDEX IF NOT EXISTS oidc_broker_session_provider_session
            ON oidc_broker_session (provider_session) WHERE provider_session IS NOT NULL;
            """

        /// Events that wait to be delivered.
        private static let outbox = """
            CREATE TABLE IF NOT EXISTS oidc_broker_event (
                position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                id bytea NOT NULL,
                type bytea NOT NULL,
                uid bytea NOT NULL,
                created_at bigint NOT NULL,
                body bytea NOT NULL,
                destination bytea NOT NULL,
                attempts bigint NOT NULL,
                due_at bigint NOT NULL,
                claimed_until bigint NOT NULL,
                given_up_at bigint,
                detail bytea
            );
            CREATE INDEX IF NOT EXISTS oidc_broker_event_account
            ON oidc_broker_event (destination, uid, position) WHERE given_up_at IS NULL;
            CREATE INDEX IF NOT EXISTS oidc_broker_event_due
            ON oidc_broker_event (destination, due_at, position) WHERE given_up_at IS NULL;
            CREATE INDEX IF NOT EXISTS oidc_broker_event_given_up
            ON oidc_broker_event (destination, position) WHERE given_up_at IS NOT NULL;
            CREATE INDEX IF NOT EXISTS oidc_broker_event_age ON oidc_broker_event (created_at);
            """

        /// Brings tables of an older version up to date. Those of this version are not locked.
        private static let migrations = """
            DO $$
            BEGIN
                IF EXISTS (SELECT FROM oidc_broker_accounts_schema WHERE version = 1) THEN
                    ALTER TABLE oidc_broker_account
                        ADD COLUMN imported bytea,
                        DROP CONSTRAINT oidc_broker_account_uid_check,
                        ADD CONSTRAINT oidc_broker_account_uid_check CHECK (octet_length(uid) BETWEEN 1 AND 512);
                    UPDATE oidc_broker_accounts_schema SET version = 2 WHERE version = 1;
                END IF;
                IF EXISTS (SELECT FROM oidc_broker_accounts_schema WHERE version = 2) THEN
                    ALTER TABLE oidc_broker_session
                        ADD COLUMN wire bigint NOT NULL DEFAULT 0 CHECK (wire IN (0, 1)),
                        ADD COLUMN generation bigint NOT NULL DEFAULT 0,
                        ADD COLUMN last_used_at bigint,
                        ADD COLUMN key_id bytea,
                        ADD COLUMN rotations bytea,
                        ADD COLUMN scope bytea,
                        ADD COLUMN claims bytea;
                    DROP TRIGGER oidc_broker_session_is_constant ON oidc_broker_session;
                    \(sessionTrigger)
                    UPDATE oidc_broker_accounts_schema SET version = 3 WHERE version = 2;
                END IF;
                -- Version 4 has the outbox, which was made above.
                IF EXISTS (SELECT FROM oidc_broker_accounts_schema WHERE version < 6) THEN
                    ALTER TABLE oidc_broker_session ADD COLUMN provider_session bytea;
                    UPDATE oidc_broker_accounts_schema SET version = 6 WHERE version < 6;
                END IF;
                IF EXISTS (SELECT FROM oidc_broker_accounts_schema WHERE version < 7) THEN
                    ALTER TABLE oidc_broker_identity ADD COLUMN claims bytea;
                    UPDATE oidc_broker_accounts_schema SET version = 7 WHERE version < 7;
                END IF;
            END
            $$;
            """

        /// What never changes in a record, and a time that does not fall. What is there is not made again: that would
        /// wait for those who write, and they for it.
        private static let constants = """
            DO $$
            BEGIN
                IF NOT EXISTS (
                    SELECT FROM pg_catalog.pg_trigger
                    WHERE tgrelid = 'oidc_broker_account'::regclass AND tgname = 'oidc_broker_account_is_constant'
                ) THEN
                    CREATE FUNCTION oidc_broker_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $refuse$
                    BEGIN
                        RAISE EXCEPTION 'a constant of a record' USING ERRCODE = 'check_violation';
                    END
                    $refuse$;
                    CREATE TRIGGER oidc_broker_account_is_constant BEFORE UPDATE ON oidc_broker_account FOR EACH ROW
                    WHEN (new.valid_since < old.valid_since OR new.created_at <> old.created_at OR new.uid <> old.uid)
                    EXECUTE FUNCTION oidc_broker_refuse_change();
                    CREATE TRIGGER oidc_broker_identity_is_constant BEFORE UPDATE ON oidc_broker_identity FOR EACH ROW
                    WHEN (
                        new.uid <> old.uid OR new.issuer <> old.issuer OR new.subject <> old.subject
                        OR new.created_at <> old.created_at
                    )
                    EXECUTE FUNCTION oidc_broker_refuse_change();
                    \(sessionTrigger)
                END IF;
            END
            $$;
            """

        /// The secret of a session changes only with a rotation, which is counted.
        private static let sessionTrigger = """
            CREATE TRIGGER oidc_broker_session_is_constant BEFORE UPDATE ON oidc_broker_session FOR EACH ROW
            WHEN (
                new.id <> old.id OR new.uid <> old.uid OR new.auth_time <> old.auth_time
                OR new.created_at <> old.created_at OR new.app IS DISTINCT FROM old.app OR new.wire <> old.wire
                OR new.scope IS DISTINCT FROM old.scope OR new.claims IS DISTINCT FROM old.claims
                OR new.generation < old.generation
                OR (new.secret_hash <> old.secret_hash AND new.generation = old.generation)
            )
            EXECUTE FUNCTION oidc_broker_refuse_change();
            """
    }
#endif
