// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOCore
    import NIOPosix
    package import OpenIDRelyingParty

    extension PostgreSQLLiveChecks {
        /// Checks whether the accounts of a project can be kept there, on a thread that may block. Nothing is stored, so
        /// tables that no server has used yet will do.
        /// - Parameter project: The ID of the project.
        /// - Throws: An error of the thread pool.
        package func runAccounts(of project: String) async throws -> LiveCheck {
            try await NIOThreadPool.singleton.runIfActive { checkAccounts(of: project) }
        }

        private func checkAccounts(of project: String) -> LiveCheck {
            let wanted =
                "a primary with the accounts of the project in logged tables of version \(AccountsSchema.version)"
            let deadline = NIODeadline.now() + Self.patience
            do throws(PostgreSQLStoreError) {
                let connection = try PostgreSQLConnector(connection).connect(before: deadline)
                let question = PostgreSQLHandshake.sessionQuestion("")
                try PostgreSQLHandshake.examine(state: try connection.ask(question, before: deadline))
                try AccountsSchema.examine(
                    try connection.ask(AccountsSchema.question, before: deadline), ofNoOtherThan: project)
                return .store(.accounts, .ok, found: wanted, wanted: wanted, advice: "")
            } catch {
                return .store(
                    .accounts, error.isRefusal ? .wrong : .unreachable, found: "\(error)", wanted: wanted,
                    advice: Self.accountsAdvice(error))
            }
        }

        private static func accountsAdvice(_ error: PostgreSQLStoreError) -> String {
            switch error {
            case .wrongSchema:
                "Run oidc-broker store migrate, and check auth.accounts.project-id and the database of "
                    + "auth.store.postgresql.connection."
            case .wrongPassword:
                "Check the user and the password of auth.store.postgresql.connection, and what is granted to the user."
            case .notPrimary: "List all hosts in auth.store.postgresql.connection, or only the primary."
            case .notDurable: "Set synchronous_commit to on for the broker's user."
            case .wrongVersion: "Use a newer server."
            default: "Check auth.store.postgresql.connection, the network, and TLS on both sides."
            }
        }
    }
#endif
