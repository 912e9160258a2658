// SPDX-License-Identifier: Apache-2.0

#if SQLite
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// Which files the paths of a database lead to. A file that has lost its name can still be written, and what is
    /// written to it is lost.
    struct ServedFiles: Equatable, Sendable {
        private let path: String
        private let database: Identity
        /// What was committed last stands in the WAL only, which keeps its name as long as a connection has it open.
        private let log: Identity

        /// Looks the files up; `nil` unless both are there.
        /// - Parameter path: The path of a database that is open, in WAL mode.
        init?(_ path: String) {
            guard let database = Identity(path), let log = Identity(path + "-wal") else { return nil }
            self.path = path
            self.database = database
            self.log = log
        }

        /// Whether the paths still lead to the same files.
        var areInPlace: Bool { ServedFiles(path) == self }

        private struct Identity: Equatable, Sendable {
            private let device: UInt64
            private let number: UInt64

            init?(_ path: String) {
                var status = stat()
                guard stat(path, &status) == 0 else { return nil }
                device = UInt64(truncatingIfNeeded: status.st_dev)
                number = UInt64(truncatingIfNeeded: status.st_ino)
            }
        }
    }
#endif
