// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import SingleUse

    /// What the answers to each ``PostgreSQLStatement`` mean. Everything that is no such answer is an error.
    enum PostgreSQLAnswers {
        /// An answer, or why there is none.
        typealias Answer = Result<PostgreSQLRows, PostgreSQLStoreError>

        /// The answer to ``PostgreSQLStatement/claim``; `nil` if the server is full. The key may be claimed already, so
        /// ``PostgreSQLStatement/claimant`` has to be asked.
        static func claim(_ answer: Answer) throws(PostgreSQLStoreError) -> SingleUseClaim? {
            switch answer {
            case .success(let answer): return try isThere(answer) ? .won : .lost
            case .failure(let error) where error == .full: return nil
            case .failure(let error): throw error
            }
        }

        /// The answer to ``PostgreSQLStatement/claimant`` where the server is full.
        static func claim(ofClaimant answer: Answer) throws(PostgreSQLStoreError) -> SingleUseClaim {
            let rows = try answer.get().rows
            guard let row = rows.first else { return .full }
            guard rows.count == 1, row.count == 1, let isOurs = row[0].flatMap({ PostgreSQLBytes.boolean($0) }) else {
                throw PostgreSQLStoreError.unexpectedAnswer
            }
            return isOurs ? .won : .lost
        }

        /// The answer to ``PostgreSQLStatement/put``.
        static func put(_ answer: Answer) throws(PostgreSQLStoreError) -> SingleUsePut {
            switch answer {
            case .success(let answer):
                guard try isThere(answer) else { throw PostgreSQLStoreError.unexpectedAnswer }
                return .stored
            case .failure(let error) where error == .full: return .full
            case .failure(let error): throw error
            }
        }

        /// The answer to ``PostgreSQLStatement/take``.
        static func take(_ answer: Answer) throws(PostgreSQLStoreError) -> SingleUseTake {
            let rows = try answer.get().rows
            guard rows.count == 1, rows[0].count == 2, let isTaken = rows[0][1].flatMap({ PostgreSQLBytes.boolean($0) })
            else { throw PostgreSQLStoreError.unexpectedAnswer }
            if let value = rows[0][0] { return .value(value) }
            return isTaken ? .taken : .absent
        }

        /// The answer to ``PostgreSQLStatement/read``.
        static func read(_ answer: Answer) throws(PostgreSQLStoreError) -> [UInt8]? {
            let rows = try answer.get().rows
            guard let row = rows.first else { return nil }
            guard rows.count == 1, row.count == 1, let value = row[0] else {
                throw PostgreSQLStoreError.unexpectedAnswer
            }
            return value
        }

        /// The answer to ``PostgreSQLStatement/remove``.
        static func remove(_ answer: Answer) throws(PostgreSQLStoreError) {
            guard try answer.get().rows.isEmpty else { throw PostgreSQLStoreError.unexpectedAnswer }
        }

        /// The answer to ``PostgreSQLStatement/isClaimed``.
        static func isClaimed(_ answer: Answer) throws(PostgreSQLStoreError) -> Bool {
            try isThere(try answer.get())
        }

        /// Whether there is a row, which says no more than that.
        private static func isThere(_ answer: PostgreSQLRows) throws(PostgreSQLStoreError) -> Bool {
            switch answer.rows {
            case []: return false
            case [[[1]]]: return true
            default: throw PostgreSQLStoreError.unexpectedAnswer
            }
        }
    }
#endif
