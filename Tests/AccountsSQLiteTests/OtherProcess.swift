// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import GRDB

    /// A connection of its own, which holds the database as a process may that writes.
    struct OtherProcess {
        private let queue: DatabaseQueue

        init(_ path: String) throws {
            var configuration = Configuration()
            // A transaction stays open.
            configuration.allowsUnsafeTransactions = true
            queue = try DatabaseQueue(path: path, configuration: configuration)
        }

        func hold() throws {
            try queue.inDatabase { try $0.beginTransaction(.immediate) }
        }

        func letGo() throws {
            try queue.inDatabase { try $0.rollback() }
        }
    }
#endif
