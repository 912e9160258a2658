// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import TestingSupport

    /// Where the accounts of a test are kept.
    enum AccountsEngine: Sendable, CaseIterable {
        case sqlite
        #if PostgreSQL && os(Linux)
            case postgresql
        #endif

        /// Runs the server that it needs while the body runs.
        /// - Parameter body: Takes the connection string of the server; `nil` for a file.
        func run(_ body: (String?) async throws -> Void) async throws {
            switch self {
            case .sqlite: try await body(nil)
            #if PostgreSQL && os(Linux)
                case .postgresql:
                    try await PostgreSQLServer.runEmpty { server in
                        try await body(server.address + " user=broker")
                    }
            #endif
            }
        }
    }
#endif
