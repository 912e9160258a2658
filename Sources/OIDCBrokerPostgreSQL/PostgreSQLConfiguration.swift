// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    /// The server of a ``PostgreSQLSingleUseStore`` or a ``PostgreSQLAccountStore``, and the number of connections.
    public struct PostgreSQLConfiguration: Sendable, Hashable {
        /// The possible numbers of connections.
        public static let possibleConnections = 1...16

        /// The address of the server, and the user and password for it.
        public var connection: PostgreSQLConnectionString
        /// The number of connections, each with a thread of its own. It is clamped to ``possibleConnections``.
        ///
        /// With a single one, a list of accounts keeps every other transaction on accounts waiting for up to 30 seconds.
        public var connections: Int

        /// Creates the configuration of a server.
        /// - Parameters:
        ///   - connection: The address of the server, and the user and password for it.
        ///   - connections: The number of connections, clamped to ``possibleConnections``.
        public init(connection: PostgreSQLConnectionString, connections: Int = 2) {
            self.connection = connection
            self.connections = connections
        }

        /// The number of threads.
        var threads: Int {
            min(max(connections, Self.possibleConnections.lowerBound), Self.possibleConnections.upperBound)
        }
    }
#endif
