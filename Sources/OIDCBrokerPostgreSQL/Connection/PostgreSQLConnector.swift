// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOCore
    import SingleUse
    import Synchronization

    /// Makes the connections of a store. libpq would give all hosts of a connection string the time of one try, and a
    /// host that drops packets would take all of it. So each host is a separate try.
    final class PostgreSQLConnector: Sendable {
        /// The least time of what is asked of a new connection. A new process of the server reads its catalogs first, which
        /// takes a tenth of a second of a processor; if it is given up, all of that was in vain, and the next one begins
        /// anew on a machine that is busy already.
        static let handshakeTime = TimeAmount.seconds(1)

        private let parameters: ConnectionParameters
        /// Each host alone, or why there are none.
        private let hosts: Result<[HostList], PostgreSQLStoreError>
        private let order: Mutex<HostOrder>
        private let resolver = HostResolver()
        private let serverTime: ServerTime

        /// - Parameter serverTime: Who is told the time of each server.
        init(_ string: PostgreSQLConnectionString, serverTime: ServerTime = ServerTime()) {
            self.serverTime = serverTime
            let parameters = string.parameters.completed
            self.parameters = parameters
            let hosts = Result { () throws(PostgreSQLStoreError) in
                try HostList(parameters).apart(in: parameters)
            }
            self.hosts = hosts
            order = Mutex(HostOrder(of: (try? hosts.get().count) ?? 0))
        }

        /// Connects to a server of a version that is used. It blocks.
        /// - Parameters:
        ///   - time: The time that each address of each host has; an equal part of the time for each host if it is `nil`.
        ///   - end: The time at which the connection must be made.
        func connect(
            within time: TimeAmount? = nil, before end: NIODeadline
        ) throws(PostgreSQLStoreError) -> PostgreSQLConnection {
            try reach(within: time, before: end).connection
        }

        /// Connects to a server that may be used, and prepares the connection for batches. It blocks.
        /// - Parameters: As for ``connect(within:before:)``. What is asked of the server has the time of the session.
        func open(
            _ session: PostgreSQLSession = .singleUse, within time: TimeAmount? = nil, before end: NIODeadline
        ) throws(PostgreSQLStoreError) -> PostgreSQLConnection {
            let (connection, host) = try reach(within: time, before: end)
            let needed = NIODeadline.now() + max(session.time, Self.handshakeTime)
            let deadline = time == nil ? max(end, needed) : needed
            do throws(PostgreSQLStoreError) {
                let question = PostgreSQLHandshake.sessionQuestion(session.settings)
                let seconds = try PostgreSQLHandshake.examine(state: try connection.ask(question, before: deadline))
                serverTime.told(seconds: seconds, at: NIODeadline.now())
                try session.examineSchema(try connection.ask(session.schemaQuestion, before: deadline))
                try connection.prepare(session.statements, before: deadline)
            } catch {
                // One that is slow is not followed by a standby, which would only cost the server's machine more.
                if error != .timeout { order.withLock { $0.failed(host, next: nil) } }
                // A connection that ends here was never of use, and no operation was begun.
                guard error == .closed || error == .timeout else { throw error }
                throw PostgreSQLStoreError.unreachable.with("the handshake was not completed: \(error)")
            }
            return connection
        }

        /// Tries one host after another.
        /// - Returns: The connection, and the number of its host.
        private func reach(
            within time: TimeAmount?, before end: NIODeadline
        ) throws(PostgreSQLStoreError) -> (connection: PostgreSQLConnection, host: Int) {
            let hosts = try hosts.get()
            var failures = HostFailures()
            for (position, number) in order.withLock({ $0.hosts }).enumerated() {
                guard NIODeadline.now() < end else { break }
                do throws(PostgreSQLStoreError) {
                    let end =
                        time == nil ? Self.deadline(within: nil, before: end, parts: hosts.count - position) : end
                    return (try reach(hosts[number], number, within: time, before: end, &failures), number)
                } catch {
                    try failures.note(error)
                }
            }
            throw failures.error(isComplete: NIODeadline.now() < end)
        }

        /// Tries one address of a host after another.
        /// - Throws: The error of the last one, which is not noted, or one that ends the whole try.
        private func reach(
            _ host: HostList, _ number: Int, within time: TimeAmount?, before end: NIODeadline,
            _ failures: inout HostFailures
        ) throws(PostgreSQLStoreError) -> PostgreSQLConnection {
            // The lookup is part of the time of the first one.
            let first = Self.deadline(within: time, before: end, parts: 1)
            var rest: [HostList] = []
            do throws(PostgreSQLStoreError) {
                let found = try host.resolved { (name: String) throws(PostgreSQLStoreError) -> [String] in
                    try resolver.addresses(of: name, before: first)
                }
                rest = order.withLock { $0.addresses(found.addresses, of: number) }
            } catch {
                order.withLock { $0.failed(number, next: nil) }
                throw error
            }
            var deadline = time == nil ? Self.deadline(within: nil, before: end, parts: rest.count) : first
            while let address = rest.first {
                rest.removeFirst()
                do throws(PostgreSQLStoreError) {
                    let connection = try PostgreSQLConnection(beginning: try address.apply(to: parameters))
                    try connection.open(before: deadline)
                    try PostgreSQLHandshake.examine(version: connection.serverVersion)
                    order.withLock { $0.worked(address, of: number) }
                    return connection
                } catch {
                    order.withLock { $0.failed(number, next: rest.first) }
                    guard !rest.isEmpty, NIODeadline.now() < end else { throw error }
                    try failures.note(error)
                    deadline = Self.deadline(within: time, before: end, parts: rest.count)
                }
            }
            throw PostgreSQLStoreError.unreachable
        }

        /// The end of a try that begins now.
        /// - Parameter parts: How many tries share the time that is left, if they have no time of their own.
        private static func deadline(within time: TimeAmount?, before end: NIODeadline, parts: Int) -> NIODeadline {
            let now = NIODeadline.now()
            let left = end - now
            return now + min(left, time ?? .nanoseconds(left.nanoseconds / Int64(max(parts, 1))))
        }
    }
#endif
