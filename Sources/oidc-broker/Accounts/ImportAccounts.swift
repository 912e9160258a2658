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
            abstract: "Create accounts for the users of Firebase, with the same uid, also while the server runs.",
            discussion: """
                The files are pages of accounts:batchGet, or JSON of `firebase auth:export`, which leaves identities of \
                oidc.* and saml.* out. After an interruption, run it again: it continues. Exit status 1: some users were \
                not imported, or it ended early; the report says which users were imported.

                Example: oidc-broker accounts import users-1.json --issuer oidc.acme=https://login.example.com \
                --config broker.yaml
                """)

        @OptionGroup var database: AccountsDatabase
        @Argument(help: "The files with the users.", completion: .file(extensions: ["json"])) var files: [String]

        @Option(
            help: ArgumentHelp(
                "The issuer of a provider of the files, or the word none for one that is no longer used.",
                valueName: "id=url"))
        var issuer: [String] = []

        @Option(
            help: ArgumentHelp(
                "The Microsoft Entra tenant of the users of microsoft.com. Default: the tenant of the configuration.",
                valueName: "uuid"))
        var tenant: String?

        @Flag(help: "If an account here has an identity of the user, give it the user's uid. Its sessions end.")
        var adopt = false

        @Flag(help: "Also update users who were imported before, except for data that was changed here.")
        var update = false

        @Flag(help: "Also import users with a second factor, who then sign in without it.")
        var withoutSecondFactor = false

        @Flag(help: "Write nothing, and report what an import would do.")
        var dryRun = false

        func validate() throws {
            guard !files.isEmpty else { throw ValidationError("name a file") }
            guard tenant.map(IdentityKey.isUUID) ?? true else {
                throw ValidationError("tenant must be a UUID in lower case")
            }
            _ = try issuers([])
        }

        /// The beginnings of issuers. That of a loopback host may be tried with `insecure-loopback-issuer`.
        private static let issuerPrefixes = ["https://", "http://localhost:", "http://127.0.0.1:", "http://[::1]:"]

        /// The issuers of the providers of the files.
        /// - Parameter providers: The providers of the configuration. Identities of one of them can sign in, so its
        ///   issuer has to be named like that of `oidc.*`.
        private func issuers(_ providers: [AccountsDatabase.KnownProvider]) throws -> ProviderIssuers {
            let named = try issuer.map { text in
                let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
                guard parts.count == 2,
                    parts[1] == ProviderIssuers.none || Self.issuerPrefixes.contains(where: parts[1].hasPrefix)
                else {
                    throw ValidationError("issuer must be the ID of a provider, =, and an https URL or none")
                }
                guard parts[0] != ProviderIssuers.microsoft || parts[1] == ProviderIssuers.none else {
                    throw ValidationError("users of microsoft.com have no subject of an issuer: name the --tenant")
                }
                return (provider: parts[0], issuer: parts[1])
            }
            guard Set(named.map(\.provider)).count == named.count else {
                throw ValidationError("issuer must name each provider once")
            }
            let ofEntra = providers.first { $0.id == ProviderIssuers.microsoft }?.issuers ?? []
            let configured = ofEntra.count == 1 ? IdentityKey.entraTenant(ofIssuer: ofEntra[0]) : nil
            return ProviderIssuers(named, tenant: tenant ?? configured, asking: providers.map(\.id))
        }

        /// The notice to an operator about identities that cannot sign in with the present configuration.
        static func remarks(
            on providerIDs: [String], issuer issuerOf: (String) -> String?,
            _ providers: [AccountsDatabase.KnownProvider]
        ) -> [String] {
            guard !providers.isEmpty else { return [] }
            return providerIDs.sorted().compactMap { id -> String? in
                guard let issuer = issuerOf(id), !providers.contains(where: { $0.issuers.contains(issuer) }) else {
                    return nil
                }
                return "\(id): no provider of the configuration has the issuer \(issuer): no user can sign in with it"
            }
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
            let providers = try await database.providers()
            let issuers = try issuers(providers)
            let decoder = UserDecoder(issuers: issuers, now: AccountsDatabase.now)
            let (files, choices) = (files, choices)
            let (report, failure) = try await Interruption.noting {
                let (report, failure) = try await database.use { store, policy in
                    let writer = try Writer(store, AccountOperations(policy: policy), choices)
                    var users = UserImport(decoder)
                    var failure: (any Error)?
                    do {
                        try await Self.importFiles(files, &users, writer)
                    } catch {
                        failure = error
                    }
                    await writer.end()
                    return (users.report, failure)
                }
                // What was committed is audited whatever follows.
                if !dryRun {
                    await database.audit("account_admin_create", count: report.added)
                    await database.audit("account_admin_update", count: report.updated + report.adopted)
                }
                return (report, failure)
            }
            // What was committed stays, however the import ended.
            if report.users > 0 || failure == nil {
                database.output(report.lines.joined(separator: "\n"), report.members)
            }
            let used = Array(report.signInsByProvider.keys)
            for remark in Self.remarks(on: used, issuer: issuers.issuer(of:), providers) {
                StandardError.write(remark)
            }
            if failure == nil, !report.hasLastPage {
                StandardError.write("every page of the files has a nextPageToken: fetch the page that it names")
            }
            if let failure { throw failure }
            guard report.isWhole else { throw ExitCode.failure }
        }

        /// A file that is broken does not stop the others.
        /// - Throws: An error of the command line, whose reason is on standard error.
        private static func importFiles(_ paths: [String], _ users: inout UserImport, _ writer: Writer) async throws {
            var byteCount = 0
            for path in paths {
                do throws(UserFile.Failure) {
                    byteCount += try UserFile.byteCount(of: path)
                } catch {
                    throw failed(path, error)
                }
            }
            var progress = ImportProgress(byteCount: byteCount)
            defer { progress.end() }
            var (done, isBroken) = (0, false)
            let turns = ServerTurns(now: .now())
            for path in paths {
                do {
                    let file = try UserFile(reading: path)
                    var reader = UserReader { try file.next() }
                    try await users.run(&reader, pause: turns.pauseIfDue) { batch in
                        try await writer.take(batch)
                    } say: { line in
                        StandardError.write("\(path): \(line)")
                    } progress: { report, offset in
                        progress.show(users: report.users, bytes: done + offset)
                        // The next batch is not begun.
                        try Interruption.check()
                    }
                    done += reader.offset
                } catch let error as UserError {
                    let provider = error.providerWithoutIssuer ?? ""
                    let option = provider == ProviderIssuers.microsoft ? "--tenant" : "--issuer \(provider)=https://…"
                    throw ValidationError("\(path): \(error): name it with \(option)")
                } catch let error as TransferError {
                    _ = failed(path, error)
                    done += error.offset
                    isBroken = true
                } catch is CancellationError {
                    throw failed(path, "interrupted: run it again to go on")
                } catch {
                    throw failed(path, "\(error)")
                }
            }
            if isBroken { throw ExitCode.failure }
        }

        private static func failed(_ path: String, _ reason: some CustomStringConvertible) -> ExitCode {
            StandardError.write("\(path): \(reason)")
            return ExitCode.failure
        }

        /// Writes users, or finds out what would become of them.
        private struct Writer: Sendable {
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
                try Interruption.check()
                let (operations, choices) = (operations, choices)
                let outcomes = try await store.transact(choices.isDryRun ? .read : .write, on: loop) { transaction in
                    try operations.take(users, choices, in: transaction)
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
