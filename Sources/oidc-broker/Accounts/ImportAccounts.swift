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
            _ = try issuers()
        }

        private func issuers() throws -> ProviderIssuers {
            ProviderIssuers(
                try issuer.map { text in
                    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
                    guard parts.count == 2, parts[1] == ProviderIssuers.none || parts[1].hasPrefix("https://") else {
                        throw ValidationError("issuer must be the ID of a provider, =, and an https URL or none")
                    }
                    return (parts[0], parts[1])
                })
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
            let decoder = UserDecoder(issuers: try issuers(), now: AccountsDatabase.now)
            let (files, choices) = (files, choices)
            let isWhole = try await database.use { store, policy in
                var isWhole = true
                for file in files {
                    isWhole = try await Self.importFile(file, decoder, choices, store, policy) && isWhole
                }
                return isWhole
            }
            guard isWhole else { throw ExitCode.failure }
        }

        /// - Returns: Whether every user was taken, or was there.
        private static func importFile(
            _ path: String, _ decoder: UserDecoder, _ choices: ImportChoices, _ store: any AccountStore,
            _ policy: AccountPolicy
        ) async throws -> Bool {
            let operations = AccountOperations(policy: policy)
            let loop = MultiThreadedEventLoopGroup.singleton.any()
            let file = try UserFile(reading: path)
            var reader = UserReader { try file.next() }
            var progress = ImportProgress(byteCount: file.byteCount)
            var users = UserImport(decoder)
            do {
                try await users.run(&reader) { batch in
                    try await store.transact(choices.isDryRun ? .read : .write, on: loop) { transaction in
                        try batch.map { try operations.take($0, choices, in: transaction) }
                    }.get()
                } say: { line in
                    StandardError.write("\(path): \(line)")
                } progress: { report, offset in
                    progress.show(users: report.users, bytes: offset)
                }
            } catch let error as UserError {
                let provider = error.providerWithoutIssuer ?? ""
                throw ValidationError("\(error): name it with --issuer \(provider)=https://…")
            }
            progress.end()
            print(([path + ":"] + users.report.lines.map { "  " + $0 }).joined(separator: "\n"))
            let report = users.report
            return report.conflicts + report.withSecondFactor + report.wrong == 0
        }
    }
#endif
