// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    /// Which server a ``PostgreSQLSingleUseStore`` or a ``PostgreSQLAccountStore`` uses, and with how many connections.
    public struct PostgreSQLConfiguration: Sendable, Hashable {
        /// The numbers of connections that are possible.
        public static let possibleConnections = 1...16

        /// Where the server is, and as whom it is used.
        public var connection: PostgreSQLConnectionString
        /// The number of connections, each with a thread of its own. One that is not possible is the nearest that is.
        ///
        /// With a single one, a list of accounts keeps every other transaction on accounts waiting for up to 30 seconds.
        public var connections: Int

        /// Creates the configuration of a server.
        /// - Parameters:
        ///   - connection: Where the server is, and as whom it is used.
        ///   - connections: The number of connections, 1 to 16.
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
