// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    extension PostgreSQLStatement {
        /// The largest number of rows that one sweep removes.
        static let sweptRows = 1000

        /// Removes rows that expired a minute ago. Rows that another process sweeps are left to it.
        ///
        /// The minute is for statements that began before the expiry, and go on for 300 milliseconds at most: they must
        /// still find the row, see ``takeText``.
        ///
        /// FOR UPDATE looks at the row as it is now, so that one which was claimed anew is left out.
        static func sweepText(of table: String) -> String {
            """
            DELETE FROM \(table) WHERE key = ANY (ARRAY(
                SELECT key FROM \(table)
                WHERE expires <= (SELECT clock_timestamp() - interval '1 minute')
                ORDER BY expires LIMIT \(sweptRows) FOR UPDATE SKIP LOCKED
            )) RETURNING true
            """
        }
    }
#endif
