// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOCore
    import NIOPosix
    package import OpenIDRelyingParty

    /// The checks of a server as it is now, over a connection for these alone. Nothing is stored there.
    package struct PostgreSQLLiveChecks: Sendable {
        /// The time of all checks.
        static let patience = TimeAmount.seconds(5)

        let connection: PostgreSQLConnectionString
        private let now: Int64

        /// - Parameters:
        ///   - connection: The server that is checked, and the user and password for it.
        ///   - now: The time of this machine, in seconds since 1970.
        package init(_ connection: PostgreSQLConnectionString, now: Int64) {
            self.connection = connection
            self.now = now
        }

        /// Makes the checks on a thread that may block.
        /// - Throws: An error of the thread pool.
        package func run() async throws -> [LiveCheck] {
            try await NIOThreadPool.singleton.runIfActive { check() }
        }

        private func check() -> [LiveCheck] {
            let deadline = NIODeadline.now() + Self.patience
            do throws(PostgreSQLStoreError) {
                let connection = try PostgreSQLConnector(connection).connect(before: deadline)
                return Self.reached(connection.serverVersion) + session(connection, deadline)
                    + schema(connection, deadline)
            } catch {
                return [Self.unreached(error)]
            }
        }

        private func session(_ connection: PostgreSQLConnection, _ deadline: NIODeadline) -> [LiveCheck] {
            do throws(PostgreSQLStoreError) {
                let question = PostgreSQLHandshake.sessionQuestion(PostgreSQLSession.singleUse.settings)
                let rows = try connection.ask(question, before: deadline)
                return Self.checks(of: try PostgreSQLServerState(rows), now: now)
            } catch {
                return [Self.unreached(error)]
            }
        }

        private func schema(_ connection: PostgreSQLConnection, _ deadline: NIODeadline) -> [LiveCheck] {
            let wanted = "logged tables of version \(PostgreSQLSchema.version)"
            do throws(PostgreSQLStoreError) {
                try PostgreSQLHandshake.examine(
                    schema: try connection.ask(PostgreSQLHandshake.schemaQuestion, before: deadline))
                return [.store(.storeSchema, .ok, found: wanted, wanted: wanted, advice: "")]
            } catch {
                return [
                    .store(
                        .storeSchema, error.isRefusal ? .wrong : .unreachable, found: "\(error)", wanted: wanted,
                        advice: "Run oidc-broker store migrate, and let the broker's user read and change the tables.")
                ]
            }
        }

        private static func reached(_ version: Int) -> [LiveCheck] {
            [
                .store(.store, .ok, found: "it answers", wanted: "a server that answers", advice: ""),
                .store(.storePassword, .ok, found: "accepted", wanted: "a user that may connect", advice: ""),
                .store(
                    .storeVersion, .ok, found: "version \(version / 10_000).\(version % 10_000)",
                    wanted: "version \(PostgreSQLHandshake.oldestVersion) or later", advice: ""),
            ]
        }

        /// The check of a server that was not reached, or is of no use at all.
        static func unreached(_ error: PostgreSQLStoreError) -> LiveCheck {
            let (subject, wanted, advice): (LiveCheck.Subject, String, String) =
                switch error {
                case .wrongPassword:
                    (
                        .storePassword, "a user that may connect and use the tables",
                        "Check the user and the password of auth.store.postgresql.connection."
                    )
                case .wrongVersion:
                    (.storeVersion, "version \(PostgreSQLHandshake.oldestVersion) or later", "Use a newer server.")
                case .notPrimary:
                    (
                        .storeRole, "a primary that allows writes",
                        "List all hosts in auth.store.postgresql.connection, or only the primary."
                    )
                default:
                    (
                        .store, "a server that answers",
                        "Check auth.store.postgresql.connection, the network, and TLS on both sides."
                    )
                }
            return .store(
                subject, error.isRefusal ? .wrong : .unreachable, found: "\(error)", wanted: wanted, advice: advice)
        }

        /// The checks of what a server says of itself.
        static func checks(of session: PostgreSQLServerState, now: Int64) -> [LiveCheck] {
            let role: PostgreSQLStoreError? = error { () throws(PostgreSQLStoreError) in try session.examineRole() }
            let commit: PostgreSQLStoreError? = error { () throws(PostgreSQLStoreError) in
                try session.examineCommit()
            }
            return [
                .store(
                    .storeRole, role == nil ? .ok : .wrong, found: role?.detail ?? "a primary",
                    wanted: "a primary that allows writes",
                    advice: "List all hosts in auth.store.postgresql.connection, or only the primary."),
                .store(
                    .storeCommit, commit == nil ? .ok : .wrong, found: "synchronous_commit \(session.commit)",
                    wanted: "synchronous_commit on or remote_apply",
                    advice: "Set synchronous_commit to on for the broker's user."),
                .storeClock(session.seconds, now: now),
            ]
        }

        private static func error(
            _ examine: () throws(PostgreSQLStoreError) -> Void
        ) -> PostgreSQLStoreError? {
            do throws(PostgreSQLStoreError) {
                try examine()
                return nil
            } catch {
                return error
            }
        }
    }
#endif
