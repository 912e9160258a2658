// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Accounts

    /// A statement that is about a transaction as a whole. Those between a beginning and an end are one transaction.
    enum TransactionStatement: String, Sendable, CaseIterable {
        case beginRead, beginList, beginWrite, beginSweep, commit, rollback
        /// Waits until no write runs alone, and lets none begin to until the end of the transaction.
        case share
        /// Waits for the writes that have begun, and lets no other begin until the end of the transaction.
        case exclude
        /// Waits until no other try that failed is about a record, until ``unlockRecords``.
        case lockRecord
        case unlockRecords

        /// The text.
        var sql: String {
            switch self {
            case .beginRead: "BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY"
            // It decides nothing, and a long one must not be in the way of a write.
            case .beginList: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            case .beginWrite: "BEGIN ISOLATION LEVEL SERIALIZABLE"
            // It decides by one row at a time, which it has locked.
            case .beginSweep: "BEGIN ISOLATION LEVEL READ COMMITTED"
            case .share: "LOCK TABLE oidc_broker_accounts_lock IN ROW EXCLUSIVE MODE"
            case .exclude: "LOCK TABLE oidc_broker_accounts_lock IN EXCLUSIVE MODE"
            case .lockRecord: "SELECT pg_advisory_lock($1)"
            case .unlockRecords: "SELECT pg_advisory_unlock_all()"
            case .commit: "COMMIT"
            case .rollback: "ROLLBACK"
            }
        }
    }

    /// A statement of the store of accounts.
    enum PreparedAccountStatement: PreparedStatement, Hashable {
        case transaction(TransactionStatement)
        case account(AccountStatement)

        /// All of them.
        static let all =
            TransactionStatement.allCases.map { transaction($0) } + AccountStatement.allCases.map { account($0) }

        /// Its name at a connection.
        var name: String {
            switch self {
            case .transaction(let statement): "oidc_broker_accounts_\(statement.rawValue)"
            case .account(let statement): "oidc_broker_accounts_\(statement.rawValue)"
            }
        }

        /// The types of the parameters.
        var parameters: [PostgreSQLType] {
            switch self {
            case .transaction(.lockRecord): [.number]
            case .transaction: []
            case .account(let statement): statement.parameters
            }
        }

        /// The text.
        var sql: String {
            switch self {
            case .transaction(let statement): statement.sql
            case .account(let statement):
                AccountDialect.postgreSQL.text(of: statement).replacing("?", with: "$")
            }
        }
    }

    extension AccountStatement {
        fileprivate var parameters: [PostgreSQLType] {
            switch self {
            case .account, .accountOfEmail, .identities, .session, .sessions, .sessionsOfProvider, .removeAccount:
                [.bytes]
            case .identity, .identitiesOfPage, .identityClaims, .removeIdentity: [.bytes, .bytes]
            case .accounts, .trimSessions, .consume: [.bytes, .number]
            case .insertAccount, .insertFreeAccount, .updateAccount:
                Account.table.columns.map { PostgreSQLType($0.value) }
            case .insertIdentity, .insertFreeIdentity, .updateIdentity:
                AccountIdentity.table.columns.map { PostgreSQLType($0.value) }
            case .insertSession, .updateSession: AccountSession.table.columns.map { PostgreSQLType($0.value) }
            case .removeSessions, .renameProvider, .setIdentityClaims: [.bytes, .bytes, .bytes]
            case .sweepSessions, .sweepConsumed, .sweepEvents: [.number, .number]
            case .appendEvent: [.bytes, .bytes, .bytes, .number, .bytes, .bytes]
            case .claimEvents: [.bytes, .number, .number, .number]
            case .removeEvent, .events: [.number, .number]
            case .postponeEvents: [.number, .number, .bytes, .bytes, .number, .bytes]
            case .hastenEvents: [.bytes, .bytes, .number]
            case .giveUpEvent: [.number, .number, .number, .bytes]
            case .countEvents: [.bytes, .number]
            case .oldestEvent: [.bytes]
            }
        }
    }

    extension PostgreSQLType {
        /// The type of a column. A text is kept as its bytes.
        fileprivate init(_ kind: AccountTable.Kind) {
            switch kind {
            case .text, .bytes: self = .bytes
            case .number: self = .number
            case .boolean: self = .boolean
            }
        }
    }

    /// A statement with its parameters, in the binary format of their types; `nil` is NULL.
    struct AccountQuestion: Sendable, Hashable {
        let statement: PreparedAccountStatement
        let parameters: [[UInt8]?]

        init(_ statement: TransactionStatement, _ values: [AccountValue] = []) {
            self.init(.transaction(statement), values)
        }

        init(_ statement: AccountStatement, _ values: [AccountValue]) {
            self.init(.account(statement), values)
        }

        private init(_ statement: PreparedAccountStatement, _ values: [AccountValue]) {
            self.statement = statement
            parameters = values.map { value in
                switch value {
                case .text(let text): text.map { Array($0.utf8) }
                case .bytes(let bytes): bytes
                case .number(let number): number.map { PostgreSQLBytes.number($0) }
                case .boolean(let value): PostgreSQLBytes.boolean(value)
                }
            }
        }
    }
#endif
