// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    public import SingleUse

    /// Why an operation of a ``PostgreSQLSingleUseStore`` failed, or a ``PostgreSQLAccountStore`` was not opened. Two
    /// errors are equal if their codes are.
    public struct PostgreSQLStoreError: Error, Sendable, Hashable, CustomStringConvertible, SingleUseStoreFailure {
        /// What happened, one of the codes of the static members. A code keeps its meaning in later versions.
        public let code: String
        /// More about it, in words. It holds no secrets, no keys and no values.
        public let detail: String
        /// The SQLSTATE of the server; `nil` if the error is not one of a statement.
        let sqlState: String?

        private init(_ code: String, detail: String = "", sqlState: String? = nil) {
            self.code = code
            self.detail = detail
            self.sqlState = sqlState
        }

        /// No connection could be made.
        public static let unreachable = Self("unreachable")
        /// The answer did not come in time. The operation may have had its effect.
        public static let timeout = Self("timeout")
        /// Too many operations wait already, here or in the server. The operation had no effect.
        public static let busy = Self("busy")
        /// The connection ended before the answer came, or the store is shut down. The operation may have had its
        /// effect.
        public static let closed = Self("closed")
        /// The server is older than version 14.
        public static let wrongVersion = Self("wrongVersion")
        /// The server is a standby, or does not allow writes.
        public static let notPrimary = Self("notPrimary")
        /// What is committed may be lost: `synchronous_commit` is neither `on` nor `remote_apply`, or the wait for a
        /// standby was canceled.
        public static let notDurable = Self("notDurable")
        /// The tables are missing, of another version, or not logged.
        public static let wrongSchema = Self("wrongSchema")
        /// The server refuses the user or the password, demands a password, or does not permit a statement.
        public static let wrongPassword = Self("wrongPassword")
        /// The disk or the memory of the server is full. The operation had no effect.
        public static let full = Self("full")
        /// The server is beyond private networks, and the connection would not be encrypted.
        public static let notEncrypted = Self("notEncrypted")
        /// The server sent an answer that the statement does not have.
        public static let unexpectedAnswer = Self("unexpectedAnswer")

        /// The code and the detail.
        public var description: String { reason }

        /// Returns whether the codes are equal.
        public static func == (left: PostgreSQLStoreError, right: PostgreSQLStoreError) -> Bool {
            left.code == right.code
        }

        /// Hashes the code.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(code)
        }

        /// Returns the error with a detail. Only the printable beginning of the detail is kept.
        func with(_ detail: String) -> Self {
            Self(code, detail: Self.printable(detail), sqlState: sqlState)
        }

        /// Returns the error of a statement with an SQLSTATE, which is five digits and capital letters.
        func with(sqlState state: String) -> Self {
            Self(code, detail: "SQLSTATE \(state)", sqlState: state)
        }
    }
#endif
