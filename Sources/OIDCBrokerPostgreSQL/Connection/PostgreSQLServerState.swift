// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    /// What a server answered to ``PostgreSQLHandshake/sessionQuestion``.
    struct PostgreSQLServerState {
        /// Whether it follows another server.
        let isStandby: Bool
        /// Whether it does not allow writes.
        let isReadOnly: Bool
        /// `synchronous_commit`.
        let commit: String
        /// Its time, in seconds since 1970.
        let seconds: Int64

        init(_ rows: PostgreSQLRows) throws(PostgreSQLStoreError) {
            guard let row = rows.onlyTexts, row.count == 4, let isStandby = row[0], let isReadOnly = row[1],
                let commit = row[2], let seconds = row[3].flatMap({ Int64($0) })
            else { throw PostgreSQLStoreError.unexpectedAnswer }
            self.isStandby = isStandby != "f"
            self.isReadOnly = isReadOnly != "off"
            self.commit = commit
            self.seconds = seconds
        }

        /// Refuses a server that takes no writes.
        func examineRole() throws(PostgreSQLStoreError) {
            guard !isStandby else { throw PostgreSQLStoreError.notPrimary.with("it is in recovery") }
            guard !isReadOnly else { throw PostgreSQLStoreError.notPrimary.with("it does not allow writes") }
        }

        /// Refuses a server that acknowledges what is not on the disk.
        func examineCommit() throws(PostgreSQLStoreError) {
            guard commit == "on" || commit == "remote_apply" else {
                throw PostgreSQLStoreError.notDurable.with("synchronous_commit is \(commit)")
            }
        }
    }
#endif
