// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    extension PostgreSQLStatement {
        /// Takes a value.
        ///
        /// Why at most one attempt gets a value. All parts of the statement see the snapshot of its beginning, with one
        /// exception: the INSERT, which looks at the row of its key as it is now.
        ///
        /// - `clock` is read once, so that the value and the claim are judged by the same moment.
        /// - `found` is the value of the snapshot, if it is alive. Two statements may both find it.
        /// - `won` is what decides. Its INSERT waits for the transaction of another one that claims the key, and
        ///   changes the row only if the attempt in it is this one, or it had expired at the moment of this statement.
        ///   It returns a row only if it inserted or changed one. So of two attempts that found the value, the second
        ///   one has no row in `won`, and gets no value.
        /// - The claim of a winner expires no earlier than the value did. So a request that finds the claim expired
        ///   also finds the value expired, by the same moment, and has nothing to claim. The sweep leaves a claim there
        ///   for a minute after that (see ``sweepText(of:)``), longer than any statement takes: a request that still
        ///   found the value never meets a key whose claim is already gone.
        ///
        /// Where there is no value, nothing is inserted. A value that was removed after it was taken has a claim that
        /// was committed before, which every snapshot sees that sees the removal: the key is taken then, and not
        /// absent.
        ///
        /// The value remains, so that the same attempt gets it again if the answer is lost; the removal follows the
        /// answer.
        static let takeText = """
            WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS moment),
            found AS MATERIALIZED (
                SELECT kept.value, kept.expires FROM oidc_broker_value AS kept
                WHERE kept.key = $1 AND kept.expires > (SELECT moment FROM clock)
            ),
            won AS (
                INSERT INTO oidc_broker_claim AS claim (key, attempt, expires)
                SELECT $1, $2, GREATEST(
                    found.expires, (SELECT moment FROM clock) + $3 * interval '1 millisecond'
                ) FROM found
                ON CONFLICT (key) DO UPDATE SET
                    attempt = excluded.attempt,
                    expires = CASE
                        WHEN claim.expires <= (SELECT moment FROM clock) THEN excluded.expires
                        ELSE claim.expires
                    END
                WHERE claim.attempt = excluded.attempt OR claim.expires <= (SELECT moment FROM clock)
                RETURNING true
            )
            SELECT
                (SELECT found.value FROM found, won) AS value,
                EXISTS (SELECT FROM found) OR EXISTS (
                    SELECT FROM oidc_broker_claim AS claim
                    WHERE claim.key = $1 AND claim.expires > (SELECT moment FROM clock)
                ) AS is_taken
            """
    }
#endif
