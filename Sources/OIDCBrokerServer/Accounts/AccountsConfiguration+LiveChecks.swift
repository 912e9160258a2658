// SPDX-License-Identifier: Apache-2.0

import NIOPosix
import OIDCBroker
import OIDCBrokerConfiguration
package import OpenIDRelyingParty

#if SQLite
    import AccountsSQLite
#endif
#if PostgreSQL
    import OIDCBrokerPostgreSQL
#endif

extension AccountsConfiguration {
    /// Checks whether the database of accounts can be used as it is now. Nothing is written there.
    /// - Parameters:
    ///   - store: The configuration of the store, whose server may have the database.
    ///   - now: The time of this machine, in seconds since 1970.
    /// - Throws: `BrokerConfigurationError` if this program or its configuration lacks what the database needs.
    package func liveCheck(beside store: StoreConfiguration, now: Int64) async throws -> LiveCheck {
        #if PostgreSQL
            if isInPostgreSQL, let server = store.postgreSQLServer {
                return try await PostgreSQLLiveChecks(server.connection, now: now).runAccounts(of: projectID)
            }
        #endif
        #if SQLite
            if !isInPostgreSQL {
                let (path, project) = (databasePath ?? "", projectID)
                return try await NIOThreadPool.singleton.runIfActive { Self.check(path: path, project: project) }
            }
        #endif
        throw BrokerConfigurationError(errors: boundsErrors(prefix: Self.prefix))
    }

    #if SQLite
        private static func check(path: String, project: String) -> LiveCheck {
            let wanted = "a file that this user can read and write, for the accounts of the project"
            do throws(SQLiteAccountStoreError) {
                try SQLiteAccountStore.check(path: path, project: project)
                return .store(.accounts, .ok, found: wanted, wanted: wanted, advice: "")
            } catch {
                return .store(
                    .accounts, .wrong, found: "'\(path)': \(error)", wanted: wanted,
                    advice: "Check auth.accounts.database and auth.accounts.project-id, and as which user serve runs.")
            }
        }
    #endif
}
