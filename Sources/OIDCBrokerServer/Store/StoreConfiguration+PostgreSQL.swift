// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    package import OIDCBrokerPostgreSQL
    import OpenIDRelyingParty

    extension StoreConfiguration {
        /// The server of PostgreSQL; `nil` if the configuration names none, or not in a way that libpq understands.
        package var postgreSQLServer: PostgreSQLConfiguration? {
            postgresql.connection.flatMap { PostgreSQLConnectionString($0.exposed) }.map {
                PostgreSQLConfiguration(connection: $0, connections: postgresql.connections)
            }
        }
    }
#endif
