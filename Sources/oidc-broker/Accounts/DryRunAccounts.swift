// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import AccountsSQLite
    import NIOCore

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// The accounts that a dry run would have made, in a database of its own: users of the files may be in each other's way,
    /// and memory would grow with the files. It is removed at the end.
    struct DryRunAccounts: Sendable {
        private let folder: String
        private let store: SQLiteAccountStore

        init() throws {
            folder = FileManager.default.temporaryDirectory.path + "/oidc-broker-dry-run-\(UUID().uuidString)"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            store = try SQLiteAccountStore.open(path: folder + "/accounts.sqlite", project: "dry-run")
        }

        /// Takes users whom the database of the server has room for.
        /// - Returns: What would become of them.
        func take(
            _ users: [ImportedUser], _ outcomes: [ImportOutcome], _ operations: AccountOperations,
            _ choices: ImportChoices,
            on loop: any EventLoop
        ) async throws -> [ImportOutcome] {
            var choices = choices
            choices.isDryRun = false
            // Who had an identity is not here.
            choices.adopts = false
            let chosen = choices
            return try await store.transact(.write, on: loop) { transaction in
                try zip(users, outcomes).map { user, outcome in
                    switch outcome {
                    case .added, .adopted:
                        let among = try operations.take(user, chosen, in: transaction)
                        return among == .added ? outcome : among
                    case .unchanged, .updated, .conflict, .hasSecondFactor: return outcome
                    }
                }
            }.get()
        }

        func remove() async {
            try? await store.shutdown()
            try? FileManager.default.removeItem(atPath: folder)
        }
    }
#endif
