// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    extension PostgreSQLStatement {
        /// Claims a key.
        ///
        /// Why at most one attempt wins within the lifetime of a claim:
        ///
        /// - The primary key permits one row of a key. Of several transactions that insert it, one does. The others
        ///   wait until it has committed, and then lock the row and look at it *as it is now*, even if it is younger
        ///   than their snapshot: that is what ON CONFLICT DO UPDATE does at READ COMMITTED.
        /// - A row of another attempt is changed only if it had expired at the moment of this statement. That moment is
        ///   read once: `excluded.expires` minus the lifetime is exact, since both are whole microseconds. Who waited
        ///   for the row has a moment of before the wait, and so takes a claim for alive rather than for expired.
        /// - A row that is not changed is not returned. So a row is returned if, and only if, this attempt has the
        ///   claim.
        ///
        /// An attempt that asks again changes the row to what it was, and so waits for its commit anew. Its claim is
        /// not prolonged.
        static let claimText = """
            INSERT INTO oidc_broker_claim AS claim (key, attempt, expires)
            VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
            ON CONFLICT (key) DO UPDATE SET
                attempt = excluded.attempt,
                expires = CASE
                    WHEN claim.expires <= excluded.expires - $3 * interval '1 millisecond' THEN excluded.expires
                    ELSE claim.expires
                END
            WHERE claim.attempt = excluded.attempt
                OR claim.expires <= excluded.expires - $3 * interval '1 millisecond'
            RETURNING true
            """

        /// Stores a value, in place of one that is there.
        static let putText = """
            INSERT INTO oidc_broker_value (key, value, expires)
            VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
            ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires
            RETURNING true
            """
    }
#endif
