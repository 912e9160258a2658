// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import CLibPQ
    import NIOCore

    extension PostgreSQLConnection {
        /// Waits until the server has accepted the connection, and refuses one that must be encrypted and is not.
        /// - Throws: An error with the code of ``PostgreSQLStoreError``. The connection is of no use then.
        func open(before deadline: NIODeadline) throws(PostgreSQLStoreError) {
            do throws(PostgreSQLStoreError) {
                try advance(before: deadline)
            } catch {
                guard error == .timeout else { throw error }
                throw PostgreSQLStoreError.unreachable.with("it did not answer in time")
            }
            guard PQsslInUse(handle) == 1 || isPrivate else { throw PostgreSQLStoreError.notEncrypted }
            guard PQsetnonblocking(handle, 1) == 0 else { throw PostgreSQLStoreError.unreachable }
        }

        private func advance(before deadline: NIODeadline) throws(PostgreSQLStoreError) {
            guard PQstatus(handle) != CONNECTION_BAD else { throw failure }
            // So it is to be treated at the beginning.
            var state = PGRES_POLLING_WRITING
            while state != PGRES_POLLING_OK {
                guard PQsocket(handle) >= 0 else { throw failure }
                try wait(
                    reading: state == PGRES_POLLING_READING, writing: state == PGRES_POLLING_WRITING, before: deadline)
                state = PQconnectPoll(handle)
                guard state != PGRES_POLLING_FAILED else { throw failure }
            }
        }

        /// Why the connection could not be made.
        private var failure: PostgreSQLStoreError {
            PostgreSQLStoreError(
                connecting: PQerrorMessage(handle).map { String(cString: $0) } ?? "",
                needsPassword: PQconnectionNeedsPassword(handle) == 1)
        }

        private var isPrivate: Bool {
            HostList.isPrivate(
                host: PQhost(handle).map { String(cString: $0) } ?? "",
                address: PQhostaddr(handle).map { String(cString: $0) } ?? "")
        }

        /// The version of the server, as the number 150004 for 15.4.
        var serverVersion: Int { Int(PQserverVersion(handle)) }

        /// Asks by one or several statements, before the connection is used for batches. They share a transaction.
        /// - Returns: The last rows, as text.
        func ask(_ sql: String, before deadline: NIODeadline) throws(PostgreSQLStoreError) -> PostgreSQLRows {
            guard PQsendQuery(handle, sql) == 1 else { throw PostgreSQLStoreError.closed }
            var rows = PostgreSQLRows()
            var error: PostgreSQLStoreError?
            while true {
                try awaitResult(before: deadline)
                guard let result = PQgetResult(handle) else { break }
                defer { PQclear(result) }
                switch PQresultStatus(result) {
                case PGRES_TUPLES_OK: rows = PostgreSQLResult.rows(of: result)
                case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: break
                default: error = error ?? PostgreSQLResult.error(of: result)
                }
            }
            if let error { throw error }
            return rows
        }
    }
#endif
