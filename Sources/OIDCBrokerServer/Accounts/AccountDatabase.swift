// SPDX-License-Identifier: Apache-2.0

package import Accounts
package import Logging
import OIDCBroker

#if SQLite
    import AccountsSQLite
#endif
import OIDCBrokerConfiguration
#if PostgreSQL
    import OIDCBrokerPostgreSQL
#endif

/// The database of accounts that a configuration names, opened.
package struct AccountDatabase: Sendable {
    /// The store in it.
    package let store: any AccountStore
    /// Returns how many transactions wait in the store.
    let waiting: @Sendable () -> (writes: Int, reads: Int)
    /// The maximum number of records that a sweep removes in one transaction.
    let sweepBatch: Int
    /// Copies the database to a new file; `nil` if its own programs do that. It blocks.
    package let backUp: (@Sendable (String) throws -> Void)?
    /// Closes the store.
    package let close: @Sendable () async throws -> Void

    /// Opens the database. It blocks.
    /// - Parameters:
    ///   - configuration: The configuration of the accounts.
    ///   - store: The configuration of the store that replicas share.
    ///   - isServing: Whether a server opens it, which makes what is missing and may be missing. Otherwise it is refused
    ///     unless a server has used it.
    ///   - logger: Where a server that cannot be used is logged.
    /// - Throws: `BrokerConfigurationError` if this program or its configuration lacks what the database needs, or an
    ///   error of the store, which contains no content of a record.
    package init(
        _ configuration: AccountsConfiguration, beside store: StoreConfiguration, isServing: Bool = true,
        logger: Logger
    ) throws {
        if configuration.isInPostgreSQL {
            self = try Self.openPostgreSQL(configuration, store, isServing: isServing, logger: logger)
        } else {
            self = try Self.openSQLite(configuration, isServing: isServing)
        }
    }

    private static func openSQLite(_ configuration: AccountsConfiguration, isServing: Bool) throws -> AccountDatabase {
        #if SQLite
            let store: SQLiteAccountStore
            do throws(SQLiteAccountStoreError) {
                store = try SQLiteAccountStore.open(
                    path: configuration.databasePath ?? "", project: configuration.projectID, mayCreate: isServing)
            } catch {
                throw error.at("auth.accounts.database (\(configuration.database))")
            }
            return AccountDatabase(
                store: store, waiting: { store.waiting }, sweepBatch: AccountSweeping.usualBatch,
                backUp: { try store.backup(to: $0) }
            ) { try await store.shutdown() }
        #else
            throw BrokerConfigurationError(errors: configuration.boundsErrors(prefix: AccountsConfiguration.prefix))
        #endif
    }

    private static func openPostgreSQL(
        _ configuration: AccountsConfiguration, _ store: StoreConfiguration, isServing: Bool, logger: Logger
    ) throws -> AccountDatabase {
        #if PostgreSQL
            if let server = store.postgreSQLServer {
                let store = try PostgreSQLAccountStore.open(
                    server, project: configuration.projectID, isServing: isServing, logger: logger)
                return AccountDatabase(
                    store: store, waiting: { store.waiting }, sweepBatch: 1000, backUp: nil
                ) { await store.shutdown() }
            }
        #endif
        var store = store
        store.keepsAccounts = true
        throw BrokerConfigurationError(
            errors: configuration.boundsErrors(prefix: AccountsConfiguration.prefix)
                + store.boundsErrors(prefix: StoreConfiguration.prefix))
    }

    private init(
        store: any AccountStore, waiting: @escaping @Sendable () -> (writes: Int, reads: Int), sweepBatch: Int,
        backUp: (@Sendable (String) throws -> Void)?, close: @escaping @Sendable () async throws -> Void
    ) {
        self.store = store
        self.waiting = waiting
        self.sweepBatch = sweepBatch
        self.backUp = backUp
        self.close = close
    }
}
