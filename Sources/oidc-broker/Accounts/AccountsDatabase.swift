// SPDX-License-Identifier: Apache-2.0

#if SQLite || PostgreSQL
    import Accounts
    import ArgumentParser
    import IdentityToolkit
    import JOSE
    import OIDCBrokerConfiguration
    import Logging
    import NIOCore
    import NIOPosix
    import OIDCBrokerOperations
    import OIDCBrokerServer
    import OpenIDRelyingParty

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// The options that name a database of accounts: by the configuration of the server, or by themselves.
    struct AccountsDatabase: ParsableArguments {
        @Option(
            help: ArgumentHelp("The configuration file of the server.", valueName: "file"),
            completion: .file(extensions: ["yaml", "yml", "json"]))
        var config: String?

        @Option(
            help: ArgumentHelp(
                "The database, as in auth.accounts.database; instead of --config.", valueName: "sqlite:/path"))
        var database: String?

        @Option(help: "The project ID, as in auth.accounts.project-id; instead of --config.")
        var projectID: String?

        @Flag(help: "Print JSON: one object on each line.")
        var json = false

        /// Prints a result.
        /// - Parameter text: The result as text.
        func output(_ text: @autoclosure () -> String, _ object: @autoclosure () -> JSONObject) {
            print(json ? TerminalJSON.escaped(.object(object())) : text())
        }

        func validate() throws {
            guard let database, let projectID else {
                guard database == nil, projectID == nil else {
                    throw ValidationError("--database and --project-id are needed together")
                }
                return
            }
            guard config == nil else { throw ValidationError("give either --config, or --database and --project-id") }
            guard AccountsConfiguration.path(ofDatabase: database) != nil else {
                throw ValidationError("--database expects sqlite: and an absolute path")
            }
            guard AccountTokens.isProjectID(projectID) else {
                throw ValidationError("--project-id expects 4 to 30 characters of a-z, 0-9 and -")
            }
        }

        private typealias Listeners = (events: AccountListener?, logouts: [WireText: AccountListener])

        /// The database and the project, which are in the configuration if they are not options, the store beside them, and
        /// who hears of events and of the end of sessions, as the configuration says.
        private func location() async throws -> (
            accounts: AccountsConfiguration, store: StoreConfiguration, listeners: Listeners
        ) {
            if let database, let projectID {
                let accounts = AccountsConfiguration(projectID: projectID, database: database, apps: [])
                return (accounts, StoreConfiguration(), (nil, [:]))
            }
            #if Server
                let configuration = try await loadConfiguration()
                guard let accounts = configuration.accounts else {
                    throw ValidationError("accounts are off: auth.accounts.project-id is not set in the configuration")
                }
                let broker = configuration.broker
                return (
                    accounts, configuration.store,
                    (broker.webhook == nil ? nil : .webhook(), AccountListener.logouts(beside: broker))
                )
            #else
                throw ValidationError("--database and --project-id are needed")
            #endif
        }

        #if Server
            private func loadConfiguration() async throws -> LoadedConfiguration {
                var arguments = ConfigurationArguments()
                arguments.config = config
                arguments.overrides = []
                return try await arguments.load()
            }
        #endif

        /// A provider of the configuration: its ID, and each issuer that its ID tokens may have.
        typealias KnownProvider = (id: String, issuers: [String])

        /// The providers of the configuration; none without one.
        func providers() async throws -> [KnownProvider] {
            #if Server
                guard database == nil else { return [] }
                return try await loadConfiguration().broker.providers.map { ($0.id, $0.configuration.issuers) }
            #else
                return []
            #endif
        }

        /// The current time, in seconds since 1970.
        static var now: Int64 { SystemUnixClock().now() }

        static let unknown = ValidationError("There is no such account.")
        static let sessionEnded = ValidationError("The account has no such session.")
        static let noBackup = ValidationError("The accounts are in PostgreSQL: copy that database with pg_dump.")

        static func account(_ uid: String) throws -> AccountID {
            guard let id = AccountID(described: uid) else { throw unknown }
            return id
        }

        /// Runs a transaction.
        /// - Throws: A `ValidationError`, for exit status 64, if there is no such account or session, or an option is
        ///   wrong; exit status 78 if the configuration has errors; exit status 1 for anything else. The reason is printed
        ///   on standard error.
        func run<Result: Sendable>(
            _ mode: AccountTransactionMode, _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
        ) async throws -> Result {
            let (database, listeners) = try await open()
            let now = Self.now
            return try await Self.perform {
                try await database.store.transact(mode, on: MultiThreadedEventLoopGroup.singleton.any()) {
                    transaction in
                    guard mode == .write else { return try body(transaction) }
                    return try EventRecorder.run(
                        for: listeners.events, listeners.logouts, in: transaction, at: now, body)
                }.get()
            } thenClosing: {
                try await database.close()
            }
        }

        /// Runs something on the store, with what is decided about addresses, and closes the store.
        /// - Throws: Like ``run(_:_:)``.
        func use<Result: Sendable>(
            _ body: @escaping @Sendable (any AccountStore, AccountPolicy) async throws -> Result
        ) async throws -> Result {
            let policy = AccountPolicy(email: try await location().accounts.emailPolicy)
            let (database, _) = try await open()
            return try await Self.perform {
                try await body(database.store, policy)
            } thenClosing: {
                try await database.close()
            }
        }

        /// Runs something on a store, and closes the store. What was committed is committed: an error of the closing changes
        /// nothing about it, and hides no other error.
        /// - Throws: Like ``run(_:_:)``.
        static func perform<Result: Sendable>(
            _ body: @Sendable () async throws -> Result, thenClosing close: @Sendable () async throws -> Void
        ) async throws -> Result {
            let result: Result
            do {
                result = try await body()
            } catch {
                try? await close()
                throw exit(error)
            }
            try? await close()
            return result
        }

        /// Runs an operation on an account.
        /// - Parameter done: What was done, as it is printed.
        func change(
            _ uid: String, _ done: String,
            _ body: @escaping @Sendable (AccountOperations, AccountID, any AccountTransaction) throws -> Void
        ) async throws {
            let id = try Self.account(uid)
            // The policy decides nothing here.
            let operations = AccountOperations(policy: AccountPolicy())
            try await run(.write) { try body(operations, id, $0) }
            output("Account \(id): \(done).", ["uid": .string(id.text), "done": .string(done)])
        }

        /// Writes a line into the audit of the server about changes of many accounts, if its file is there. None is made: it
        /// would belong to the user of this process.
        /// - Parameters:
        ///   - event: The name of the event, as for the change of one account.
        ///   - count: The number of changes. Nothing is written about none.
        func audit(_ event: String, count: Int) async {
            #if Server
                guard count > 0, database == nil, let path = (try? await loadConfiguration())?.server.log.audit,
                    path != AuditLog.standardOutput, FileManager.default.fileExists(atPath: path)
                else { return }
                do throws(LogFailure) {
                    let audit = try AuditLog(
                        path: path, log: Logger(label: "oidc-broker") { StreamLogHandler.standardError(label: $0) })
                    let leftOut: Logger.Metadata = count > 1 ? ["auth.repeated": "\(count - 1)"] : [:]
                    audit.logger().notice("\(event)", metadata: leftOut.merging(["auth.outcome": "succeeded"]) { $1 })
                    audit.end(within: .seconds(5))
                } catch {
                    StandardError.write("server.log.audit: \(error)")
                }
            #endif
        }

        /// Copies the database to a new file.
        /// - Throws: Like ``run(_:_:)``.
        func backUp(to file: String) async throws {
            let (database, _) = try await open()
            try await Self.perform {
                guard let backUp = database.backUp else { throw Self.noBackup }
                try backUp(file)
            } thenClosing: {
                try await database.close()
            }
            output("Copied to \(file).", ["file": .string(file)])
        }

        /// Opens what a server has made. A command makes nothing: the path or the project may be mistyped, and the files
        /// would be those of another user.
        private func open() async throws -> (database: AccountDatabase, listeners: Listeners) {
            let (accounts, store, listeners) = try await location()
            do {
                let database = try AccountDatabase(
                    accounts, beside: store, isServing: false,
                    logger: Logger(label: "oidc-broker") { _ in SwiftLogNoOpLogHandler() })
                return (database, listeners)
            } catch {
                throw Self.exit(error)
            }
        }

        private static func exit(_ error: any Error) -> any Error {
            if error is ValidationError { return error }
            switch (error as? AccountRefusal)?.code {
            case .unknown?: return unknown
            case .sessionEnded?: return sessionEnded
            default: break
            }
            StandardError.write("\(error)")
            return ExitCode.failure
        }
    }
#endif
