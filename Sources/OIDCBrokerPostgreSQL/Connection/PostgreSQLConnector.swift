// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOCore

    /// Makes the connections of a store.
    struct PostgreSQLConnector: Sendable {
        /// The time in which a server answers what has to be known of it, once it is connected.
        static let handshakeTime = TimeAmount.milliseconds(400)

        private let parameters: ConnectionParameters
        private let resolver = HostResolver()

        init(_ string: PostgreSQLConnectionString) {
            parameters = string.parameters.completed
        }

        /// Connects to a server of a version that is used. It blocks.
        func connect(before deadline: NIODeadline) throws(PostgreSQLStoreError) -> PostgreSQLConnection {
            let resolver = resolver
            let hosts = try HostList(parameters) { (name: String) throws(PostgreSQLStoreError) -> [String] in
                try resolver.addresses(of: name, before: deadline)
            }
            let connection = try PostgreSQLConnection(beginning: try hosts.apply(to: parameters))
            try connection.open(before: deadline)
            try PostgreSQLHandshake.examine(version: connection.serverVersion)
            return connection
        }

        /// Connects to a server that may be used, and prepares the connection for batches. It blocks.
        func open(before deadline: NIODeadline) throws(PostgreSQLStoreError) -> PostgreSQLConnection {
            let connection = try connect(before: deadline)
            // A new process of the server reads its catalogs first.
            let deadline = max(deadline, NIODeadline.now() + Self.handshakeTime)
            do throws(PostgreSQLStoreError) {
                let session = try connection.ask(PostgreSQLHandshake.sessionQuestion, before: deadline)
                try PostgreSQLHandshake.examine(session: session)
                let schema = try connection.ask(PostgreSQLHandshake.schemaQuestion, before: deadline)
                try PostgreSQLHandshake.examine(schema: schema)
                try connection.prepare(before: deadline)
            } catch {
                // A connection that ends here was never of use, and no operation was begun.
                guard error == .closed || error == .timeout else { throw error }
                throw PostgreSQLStoreError.unreachable.with("the handshake did not end: \(error)")
            }
            return connection
        }
    }
#endif
