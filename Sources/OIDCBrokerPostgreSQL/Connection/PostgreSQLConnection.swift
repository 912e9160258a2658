// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import CLibPQ
    import NIOCore

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// A connection, which is used on one thread only. No call waits longer than until its deadline. It is closed when
    /// the last reference to it goes.
    final class PostgreSQLConnection {
        /// The connection of libpq.
        let handle: OpaquePointer
        /// What the server says beside its answers.
        let notices = ConnectionNotices()
        /// Whether it may be used for more. What failed in the middle cannot be continued.
        var isUsable = true

        /// Begins a connection.
        /// - Throws: `unreachable` if that fails at once.
        init(beginning parameters: ConnectionParameters) throws(PostgreSQLStoreError) {
            guard let handle = PQconnectStart(parameters.text) else { throw PostgreSQLStoreError.unreachable }
            self.handle = handle
            // The message of an error is its SQLSTATE alone, in every language.
            _ = PQsetErrorVerbosity(handle, PQERRORS_SQLSTATE)
            notices.listen(to: handle)
        }

        deinit {
            PQfinish(handle)
        }

        /// Whether the server has not closed the connection while nothing was asked. It does not block.
        var isAlive: Bool {
            guard isUsable, PQstatus(handle) == CONNECTION_OK else { return false }
            // What a server says at its end comes before the end itself.
            for _ in 0..<4 {
                var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
                guard poll(&descriptor, 1, 0) != 0 else { return true }
                guard PQconsumeInput(handle) == 1, PQstatus(handle) == CONNECTION_OK else { return false }
            }
            return false
        }

        /// Waits until something can be read or, if that is asked for, written.
        /// - Throws: `timeout` at the deadline, or `closed`.
        func wait(reading: Bool, writing: Bool, before deadline: NIODeadline) throws(PostgreSQLStoreError) {
            let socket = PQsocket(handle)
            guard socket >= 0 else { throw PostgreSQLStoreError.closed }
            let events = (reading ? Int16(POLLIN) : 0) | (writing ? Int16(POLLOUT) : 0)
            while true {
                let left = (deadline - NIODeadline.now()).nanoseconds
                guard left > 0 else { throw PostgreSQLStoreError.timeout }
                // Rounded up, so that the last millisecond is not spent in a loop.
                let milliseconds = Int32(clamping: (left - 1) / 1_000_000 + 1)
                var descriptor = pollfd(fd: socket, events: events, revents: 0)
                let ready = poll(&descriptor, 1, milliseconds)
                if ready > 0 { return }
                guard ready == 0 || errno == EINTR else { throw PostgreSQLStoreError.closed }
            }
        }

        /// Waits until libpq has a result, or has none to come.
        /// - Throws: `timeout` at the deadline, or `closed`.
        func awaitResult(before deadline: NIODeadline) throws(PostgreSQLStoreError) {
            while true {
                let rest = PQflush(handle)
                guard rest >= 0 else { throw PostgreSQLStoreError.closed }
                guard PQisBusy(handle) != 0 else { return }
                try wait(reading: true, writing: rest > 0, before: deadline)
                guard PQconsumeInput(handle) == 1 else { throw PostgreSQLStoreError.closed }
            }
        }
    }
#endif
