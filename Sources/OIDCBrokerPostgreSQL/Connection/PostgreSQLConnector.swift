// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOCore
    import OIDCBroker

    /// Makes the connections of a store.
    struct PostgreSQLConnector: Sendable {
        private let parameters: ConnectionParameters
        private let resolver = HostResolver()

        private let serverTime: ServerTime

        /// - Parameter serverTime: Who is told the time of each server.
        init(_ string: PostgreSQLConnectionString, serverTime: ServerTime = ServerTime()) {
            self.serverTime = serverTime
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
        func open(
            _ session: PostgreSQLSession = .singleUse, before deadline: NIODeadline
        ) throws(PostgreSQLStoreError) -> PostgreSQLConnection {
            let connection = try connect(before: deadline)
            // A new process of the server reads its catalogs first.
            let deadline = max(deadline, NIODeadline.now() + session.time)
            do throws(PostgreSQLStoreError) {
                let question = PostgreSQLHandshake.sessionQuestion(session.settings)
                let seconds = try PostgreSQLHandshake.examine(state: try connection.ask(question, before: deadline))
                serverTime.told(seconds: seconds, at: NIODeadline.now())
                try session.examineSchema(try connection.ask(session.schemaQuestion, before: deadline))
                try connection.prepare(session.statements, before: deadline)
            } catch {
                // A connection that ends here was never of use, and no operation was begun.
                guard error == .closed || error == .timeout else { throw error }
                throw PostgreSQLStoreError.unreachable.with("the handshake did not end: \(error)")
            }
            return connection
        }
    }
#endif
