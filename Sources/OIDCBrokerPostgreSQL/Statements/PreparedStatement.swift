// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    /// A statement that is prepared at each connection of a store, under its name.
    protocol PreparedStatement: Sendable {
        /// Its name at a connection.
        var name: String { get }
        /// The types of its parameters.
        var parameters: [PostgreSQLType] { get }
        /// Its text.
        var sql: String { get }
    }

    /// A type of a parameter, by its number in the server.
    enum PostgreSQLType: UInt32, Sendable, Hashable {
        case boolean = 16
        case bytes = 17
        case number = 20
    }
#endif
