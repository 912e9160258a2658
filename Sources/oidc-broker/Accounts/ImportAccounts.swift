// SPDX-License-Identifier: Apache-2.0

#if SQLite || PostgreSQL
    import Accounts
    import AccountsTransfer
    import ArgumentParser
    import NIOCore
    import NIOPosix

    struct ImportAccounts: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Make accounts of the users of Firebase, who keep their uid, also while the server runs.",
            discussion: """
                The files are pages of accounts:batchGet, or JSON of `firebase auth:export`, which leaves identities of \
                oidc.* and saml.* out. Begun again after an interruption it goes on. Exit status 1: some users were not \
                taken.

                Example: oidc-broker accounts import users-1.json --issuer oidc.acme=https://login.example.com \
                --config broker.yaml
                """)

        @OptionGroup var database: AccountsDatabase
        @Argument(help: "The files with the users.", completion: .file(extensions: ["json"])) var files: [String]

        @Option(
            help: ArgumentHelp(
                "The issuer of a provider of the files, or the word none for one that is not used any more.",
                valueName: "id=url"))
        var issuer: [String] = []

        @Option(
            help: ArgumentHelp(
                "The tenant of Microsoft Entra of the users of microsoft.com; by default that of the configuration.",
                valueName: "uuid"))
        var tenant: String?

        @Flag(help: "Give an account that has an identity of a user the uid of the user. Its sessions end.")
        var adopt = false

        @Flag(help: "Change users who were imported before, where nothing was changed here.")
        var update = false

        @Flag(help: "Also take users with a second factor, who sign in without it then.")
        var withoutSecondFactor = false

        @Flag(help: "Write nothing, and say what would come of the users.")
        var dryRun = false

        func validate() throws {
            guard !files.isEmpty else { throw ValidationError("name a file") }
            guard tenant.map(IdentityKey.isUUID) ?? true else {
                throw ValidationError("tenant must be a UUID in lower case")
            }
            _ = try issuers(tenant: nil)
        }

        private func issuers(tenant: String?) throws -> ProviderIssuers {
            ProviderIssuers(
                try issuer.map { text in
                    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
                    guard parts.count == 2, parts[1] == ProviderIssuers.none || parts[1].hasPrefix("https://") else {
                        throw ValidationError("issuer must be the ID of a provider, =, and an https URL or none")
                    }
                    guard parts[0] != ProviderIssuers.microsoft || parts[1] == ProviderIssuers.none else {
                        throw ValidationError("users of microsoft.com have no subject of an issuer: name the --tenant")
                    }
                    return (parts[0], parts[1])
                }, tenant: tenant)
        }

        private var choices: ImportChoices {
            var choices = ImportChoices()
            choices.adopts = adopt
            choices.updates = update
            choices.takesSecondFactors = withoutSecondFactor
            choices.isDryRun = dryRun
            return choices
        }

        func run() async throws {
            var tenant = tenant
            if tenant == nil { tenant = try await database.entraTenant() }
            let decoder = UserDecoder(issuers: try issuers(tenant: tenant), now: AccountsDatabase.now)
            let (files, choices) = (files, choices)
            let isWhole = try await database.use { store, policy in
                let writer = try Writer(store, AccountOperations(policy: policy), choices)
                do {
                    var isWhole = true
                    for file in files { isWhole = try await Self.importFile(file, decoder, writer) && isWhole }
                    await writer.end()
                    return isWhole
                } catch {
                    await writer.end()
                    throw error
                }
            }
            guard isWhole else { throw ExitCode.failure }
        }

        /// - Returns: Whether every user was taken, or was there.
        private static func importFile(_ path: String, _ decoder: UserDecoder, _ writer: Writer) async throws -> Bool {
            let file = try UserFile(reading: path)
            var reader = UserReader { try file.next() }
            var progress = ImportProgress(byteCount: file.byteCount)
            var users = UserImport(decoder)
            do {
                try await users.run(&reader) { batch in
                    try await writer.take(batch)
                } say: { line in
                    StandardError.write("\(path): \(line)")
                } progress: { report, offset in
                    progress.show(users: report.users, bytes: offset)
                }
            } catch let error as UserError {
                let provider = error.providerWithoutIssuer ?? ""
                let option = provider == ProviderIssuers.microsoft ? "--tenant" : "--issuer \(provider)=https://…"
                throw ValidationError("\(error): name it with \(option)")
            }
            progress.end()
            print(([path + ":"] + users.report.lines.map { "  " + $0 }).joined(separator: "\n"))
            let report = users.report
            return report.conflicts + report.withSecondFactor + report.wrong == 0
        }

        /// Writes users, or finds out what would become of them.
        private struct Writer {
            private let loop = MultiThreadedEventLoopGroup.singleton.any()
            private let store: any AccountStore
            private let operations: AccountOperations
            private let choices: ImportChoices
            #if SQLite
                private let dryRun: DryRunAccounts?
            #endif

            init(_ store: any AccountStore, _ operations: AccountOperations, _ choices: ImportChoices) throws {
                (self.store, self.operations, self.choices) = (store, operations, choices)
                #if SQLite
                    dryRun = choices.isDryRun ? try DryRunAccounts() : nil
                #endif
            }

            func take(_ users: [ImportedUser]) async throws -> [ImportOutcome] {
                let (operations, choices) = (operations, choices)
                let outcomes = try await store.transact(choices.isDryRun ? .read : .write, on: loop) { transaction in
                    try users.map { try operations.take($0, choices, in: transaction) }
                }.get()
                #if SQLite
                    if let dryRun { return try await dryRun.take(users, outcomes, operations, choices, on: loop) }
                #endif
                return outcomes
            }

            func end() async {
                #if SQLite
                    await dryRun?.remove()
                #endif
            }
        }
    }
#endif
