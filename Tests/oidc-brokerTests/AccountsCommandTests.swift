// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import AccountsSQLite
    import ArgumentParser
    import Crypto
    import Foundation
    import JOSE
    import NIOCore
    import NIOPosix
    import OIDCBrokerServer
    import Testing

    @testable import oidc_broker

    /// The command line on a database that a server has open.
    struct AccountsCommandTests {
        /// The time of the machine, which the commands take.
        private static let now = AccountsDatabase.now
        private let loop = MultiThreadedEventLoopGroup.singleton.any()

        private func makeFolder() throws -> String {
            let folder = FileManager.default.temporaryDirectory.path + "/accounts-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            return folder
        }

        private func makeStore() throws -> (path: String, store: SQLiteAccountStore) {
            let path = try makeFolder() + "/accounts.sqlite"
            return (path, try SQLiteAccountStore.open(path: path, project: "acme"))
        }

        /// A database that a server has made, and the options that name it.
        private struct Served {
            let store: any AccountStore
            let options: [String]
            /// The options with another project, if the options name one.
            var ofAnotherProject: [String]? {
                options.contains("acme") ? options.map { $0 == "acme" ? "other" : $0 } : nil
            }
            /// The path of the file; `nil` if there is none.
            let file: String?
        }

        private func serve(on engine: AccountsEngine, _ body: (Served) async throws -> Void) async throws {
            switch engine {
            case .sqlite:
                let (path, store) = try makeStore()
                let options = ["--database", "sqlite:" + path, "--project-id", "acme"]
                try await body(Served(store: store, options: options, file: path))
                try await store.shutdown()
            #if PostgreSQL && os(Linux)
                case .postgresql:
                    try await ServedAccounts.run(on: engine) { wire in
                        let database = try wire.openDatabase()
                        try await body(
                            Served(store: database.store, options: ["--config", wire.config], file: nil))
                        try await database.close()
                    }
            #endif
            }
        }

        private func run<Command: AsyncParsableCommand>(
            _: Command.Type, _ arguments: [String], _ options: [String]
        ) async throws {
            var command = try Command.parse(arguments + options)
            try await command.run()
        }

        private func signIn(_ token: RefreshToken, _ store: any AccountStore) async throws -> SignedInAccount {
            let operations = AccountOperations(policy: AccountPolicy())
            let identity = VerifiedIdentity(
                IdentityKey(issuer: "https://p", subject: "a\u{1B}[2Jda"), providerID: "p", displayName: "Ada")
            return try await store.transact(.write, on: loop) { transaction in
                try operations.signIn(
                    SignInRequest(identity, authTime: Self.now), session: NewSession(token),
                    in: transaction, now: Self.now)
            }.get()
        }

        @Test func `a command writes what the webhook and the apps of the configuration are told`() async throws {
            let (path, store) = try makeStore()
            let key: JSONValue = .string(P256.Signing.PrivateKey().pemRepresentation)
            let auth: JSONObject = [
                "public-url": "http://localhost:1", "sealing-keys": [.string(Base64.encode(SecureRandom.bytes(32)))],
                "signing-keys": .string(P256.Signing.PrivateKey().pemRepresentation), "providers": ["acme"],
                "provider": ["acme": ["issuer": "https://acme.example", "client-id": "a", "client-secret": "b"]],
                "apps": ["shop"],
                "app": [
                    "shop": [
                        "redirect-uris": ["https://shop.example/callback"], "accounts": true,
                        "backchannel-logout-uri": "http://localhost:1/out",
                    ]
                ],
                "accounts": ["project-id": "acme", "database": .string("sqlite:" + path)],
                "webhook": ["url": "http://localhost:1/hook", "signing-key": key],
            ]
            let config = path + ".json"
            let bytes = (["auth": .object(auth)] as JSONObject).serialized()
            #expect(
                FileManager.default.createFile(
                    atPath: config, contents: Data(bytes), attributes: [.posixPermissions: 0o600]))
            let account = try await signIn(RefreshToken(session: AccountSession.ID()), store).account.id
            let uid = account.text
            let session = AccountSession(
                id: AccountSession.ID(), secretHash: [UInt8](repeating: 1, count: 32), account: account,
                providerID: "acme", app: "shop", authTime: Self.now, createdAt: Self.now, expiry: 1 << 40,
                grant: AccountSession.Grant(
                    scope: "openid", claims: #"{"sub":"ada"}"#, lastUsedAt: Self.now, generation: 0, keyID: [1],
                    rotations: []))
            try await store.transact(.write, on: loop) { try $0.insert(session) }.get()
            try await run(DisableAccount.self, [uid], on: path)
            try await run(EnableAccount.self, [uid], ["--config", config])
            try await run(DeleteAccount.self, [uid, "--yes"], ["--config", config])
            let events = try await store.transact(.list, on: loop) {
                try $0.outbox?.events(after: 0, limit: 9).map(\.event.type) ?? []
            }.get()
            #expect(events == ["account.enabled", "account.deleted", "session.ended"])
            try await store.shutdown()
        }

        @Test(arguments: AccountsEngine.allCases)
        func `events that wait or were given up are listed`(engine: AccountsEngine) async throws {
            try await serve(on: engine) { served in
                let person = try await signIn(RefreshToken(session: AccountSession.ID()), served.store)
                let event = AccountEvent(
                    id: "mR2vSg0T6mJ1n7p0cTz3bA", type: "account.updated", account: person.account.id,
                    time: 1_790_000_000, json: "{}")
                try await served.store.transact(.write, on: loop) { try $0.outbox?.append(event, for: "webhook") }.get()
                try await run(AccountEvents.self, [], served.options)
                try await run(AccountEvents.self, ["--json", "--limit", "1"], served.options)
                let events = try await served.store.transact(.list, on: loop) {
                    try $0.outbox?.events(after: 0, limit: 9) ?? []
                }.get()
                let uid = person.account.id.text
                #expect(
                    events.map(AccountEvents.line) == [
                        "mR2vSg0T6mJ1n7p0cTz3bA\taccount.updated\t\(uid)\twebhook\twaiting\t2026-09-21T14:13:20Z\t"
                            + "2026-09-21T14:13:20Z\t0\t-"
                    ])
                let givenUp = try await served.store.transact(.queue, on: loop) { transaction -> [QueuedEvent] in
                    for event in try transaction.outbox?.claim(
                        for: "webhook", limit: 1, until: 1_790_000_180, at: 1_790_000_000) ?? []
                    {
                        try transaction.outbox?.giveUp(event, at: 1_790_000_060, because: "it responded with 500")
                    }
                    return try transaction.outbox?.events(after: 0, limit: 9) ?? []
                }.get()
                try await run(AccountEvents.self, [], served.options)
                #expect(
                    givenUp.map(AccountEvents.line) == [
                        "mR2vSg0T6mJ1n7p0cTz3bA\taccount.updated\t\(uid)\twebhook\tgiven-up\t2026-09-21T14:13:20Z\t"
                            + "-\t1\tit responded with 500"
                    ])
            }
        }

        private func run<Command: AsyncParsableCommand>(
            _: Command.Type, _ arguments: [String], on path: String
        ) async throws {
            try await run(Command.self, arguments, ["--database", "sqlite:" + path, "--project-id", "acme"])
        }

        @Test(arguments: AccountsEngine.allCases)
        func `an operator disables, enables, ends the sessions of and deletes an account`(engine: AccountsEngine)
            async throws
        {
            try await serve(on: engine) { served in
                let (store, options) = (served.store, served.options)
                let token = RefreshToken(session: AccountSession.ID())
                let person = try await signIn(token, store)
                let uid = person.account.id.text
                let operations = AccountOperations(policy: AccountPolicy())
                @Sendable func refresh() async throws -> AccountRefusal.Code? {
                    do {
                        _ = try await store.transact(.write, on: loop) {
                            try operations.refresh(token.sessionID, secretHash: token.secretHash, in: $0, now: Self.now)
                        }.get()
                        return nil
                    } catch let refusal as AccountRefusal {
                        return refusal.code
                    }
                }
                try await run(ListAccounts.self, [], options)
                try await run(ShowAccount.self, [uid], options)
                try await run(ShowAccount.self, [uid, "--json"], options)
                try await run(DisableAccount.self, [uid], options)
                #expect(try await refresh() == .disabled)
                try await run(EnableAccount.self, [uid], options)
                #expect(try await refresh() == nil)
                let session = AccountText.text(of: token.sessionID)
                try await run(EndSessionsOfAccount.self, [uid, "--session", session], options)
                #expect(try await refresh() == .sessionEnded)
                try await run(EndSessionsOfAccount.self, [uid], options)
                #expect(try await refresh() == .sessionEnded)
                if let file = served.file {
                    try await run(BackUpAccounts.self, [file + ".copy"], options)
                } else {
                    // The database's own programs do that.
                    await #expect(throws: ValidationError.self) {
                        try await run(BackUpAccounts.self, ["copy"], options)
                    }
                }
                try await run(DeleteAccount.self, [uid, "--yes"], options)
                #expect(try await store.transact(.read, on: loop) { try $0.account(person.account.id) }.get() == nil)
                if let file = served.file { try await run(ShowAccount.self, [uid], on: file + ".copy") }
            }
        }

        @Test(arguments: AccountsEngine.allCases)
        func `an account that is not there, another project and a file that exists are errors`(engine: AccountsEngine)
            async throws
        {
            try await serve(on: engine) { served in
                let options = served.options
                await #expect(throws: ValidationError.self) { try await run(DisableAccount.self, ["nobody"], options) }
                await #expect(throws: ValidationError.self) { try await run(DeleteAccount.self, ["nobody"], options) }
                await #expect(throws: ValidationError.self) { try await run(ShowAccount.self, ["no body"], options) }
                if let others = served.ofAnotherProject {
                    await #expect(throws: ExitCode.failure) { try await run(ListAccounts.self, [], others) }
                }
                if let file = served.file {
                    await #expect(throws: ExitCode.failure) { try await run(BackUpAccounts.self, [file], options) }
                }
            }
        }

        @Test(arguments: ["yes", "y"]) func `only yes is a yes`(answer: String) {
            #expect(DeleteAccount.isYes(answer))
            for other in [nil, "", "no", "Yes, of course", answer + " "] { #expect(!DeleteAccount.isYes(other)) }
        }

        @Test(arguments: AccountsEngine.allCases)
        func `an account is found by its email, in upper or lower case`(engine: AccountsEngine) async throws {
            try await serve(on: engine) { served in
                let person = try await signIn(RefreshToken(session: AccountSession.ID()), served.store)
                try await served.store.transact(.write, on: loop) { transaction in
                    var account = person.account
                    account.email = EmailAddress("Ada@example.com")
                    try transaction.update(account)
                }.get()
                try await run(FindAccounts.self, ["ada@EXAMPLE.com"], served.options)
                try await run(FindAccounts.self, ["ada@example.com", "--json"], served.options)
                for other in ["eve@example.com", "no email"] {
                    await #expect(throws: ValidationError.self) {
                        try await run(FindAccounts.self, [other], served.options)
                    }
                }
            }
        }

        #if os(Linux)
            @Test func `delete asks, deletes nothing without a yes, and says what it deleted`() async throws {
                let (path, store) = try makeStore()
                let person = try await signIn(RefreshToken(session: AccountSession.ID()), store)
                let uid = person.account.id.text
                let arguments = ["accounts", "delete", uid, "--database", "sqlite:" + path, "--project-id", "acme"]
                for answer in ["", "no\n"] {
                    let end = try await CommandProcess.run(arguments, input: answer)
                    #expect(end.status == 1 && end.output.isEmpty, "\(end.errors)")
                    #expect(
                        end.errors == "Delete the account \(uid) with 1 identity and 1 session? This cannot be undone. "
                            + "Type yes to delete:\nNot deleted.\n")
                }
                #expect(try await store.transact(.read, on: loop) { try $0.account(person.account.id) }.get() != nil)
                let end = try await CommandProcess.run(arguments, input: "yes\n")
                #expect(end.status == 0, "\(end.errors)")
                #expect(end.output == "Deleted the account \(uid) with 1 identity and 1 session.\n")
                #expect(try await store.transact(.read, on: loop) { try $0.account(person.account.id) }.get() == nil)
                try await store.shutdown()
            }
        #endif

        @Test func `options that name no database are errors`() {
            #expect(throws: (any Error).self) {
                try ListAccounts.parse(["--database", "accounts.sqlite", "--project-id", "acme"])
            }
            #expect(throws: (any Error).self) {
                try ListAccounts.parse(["--database", "sqlite:/a", "--project-id", "Acme!"])
            }
        }

        @Test func `no command makes a database or a file beside it, for it may be mistyped`() async throws {
            let path = try makeFolder() + "/accounts.sqlite"
            await #expect(throws: ExitCode.failure) { try await run(ListAccounts.self, [], on: path) }
            await #expect(throws: ExitCode.failure) { try await run(ShowAccount.self, ["uid"], on: path) }
            await #expect(throws: ExitCode.failure) { try await run(DisableAccount.self, ["uid"], on: path) }
            await #expect(throws: ExitCode.failure) { try await run(EnableAccount.self, ["uid"], on: path) }
            await #expect(throws: ExitCode.failure) { try await run(EndSessionsOfAccount.self, ["uid"], on: path) }
            await #expect(throws: ExitCode.failure) { try await run(DeleteAccount.self, ["uid"], on: path) }
            await #expect(throws: ExitCode.failure) { try await run(BackUpAccounts.self, [path + ".copy"], on: path) }
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }

        @Test(arguments: [[0xF8, 0x00], [0xFB, 0xEF]] as [[UInt8]])
        func `the identifier of a session may begin with a hyphen`(beginning: [UInt8]) async throws {
            let (path, store) = try makeStore()
            let rest = [UInt8](repeating: 0, count: AccountSession.ID.byteCount - beginning.count)
            let id = try #require(AccountSession.ID(bytes: beginning + rest))
            let text = AccountText.text(of: id)
            #expect(text.hasPrefix("-"))
            let person = try await signIn(RefreshToken(session: id), store)
            try await run(EndSessionsOfAccount.self, [person.account.id.text, "--session", text], on: path)
            let session = try await store.transact(.read, on: loop) { try $0.session(id) }.get()
            #expect(session?.expiry == 0)
            try await store.shutdown()
        }

        @Test func `the identifier after which the list begins may begin with a hyphen`() throws {
            let command = try ListAccounts.parse(
                ["--after", "-a", "--database", "sqlite:/a", "--project-id", "acme"])
            #expect(command.after == "-a")
        }

        @Test(arguments: AccountsEngine.allCases)
        func `a session that the account does not have is said in a sentence, with status 64`(engine: AccountsEngine)
            async throws
        {
            try await serve(on: engine) { served in
                let uid = try await signIn(RefreshToken(session: AccountSession.ID()), served.store).account.id.text
                let session = AccountText.text(of: AccountSession.ID())
                let error = await #expect(throws: ValidationError.self) {
                    try await run(EndSessionsOfAccount.self, [uid, "--session", session], served.options)
                }
                #expect(error?.message == "The account has no such session.")
                #expect(error.map { EndSessionsOfAccount.exitCode(for: $0) } == .validationFailure)
            }
        }

        @Test func `an error of the closing makes no failure of what is done, and hides no other error`() async throws {
            let value = try await AccountsDatabase.perform {
                1
            } thenClosing: {
                throw NotClosed()
            }
            #expect(value == 1)
            let error = await #expect(throws: ValidationError.self) {
                _ = try await AccountsDatabase.perform { () async throws -> Int in
                    throw AccountsDatabase.unknown
                } thenClosing: {
                    throw NotClosed()
                }
            }
            #expect(error?.message == AccountsDatabase.unknown.message)
        }

        @Test func `what a provider wrote reaches no terminal as it is`() async throws {
            let (_, store) = try makeStore()
            let person = try await signIn(RefreshToken(session: AccountSession.ID()), store)
            let page = AccountText.page(person.account, [person.identity], [person.session])
            #expect(!page.utf8.contains(0x1B))
            #expect(page.contains("name: Ada\n"))
            #expect(page.contains("created: \(UTCTime.text(Self.now))\n") && page.contains("T") && page.contains("Z\n"))
            let object = AccountText.json(person.account, [person.identity], [person.session])
            let json = TerminalJSON.escaped(.object(object))
            #expect(json.utf8.allSatisfy { (0x20...0x7E).contains($0) })
            #expect(object["created"] == .string(UTCTime.text(Self.now)))
            #expect(object["identities"]?.arrayValue?.count == 1 && object["sessions"]?.arrayValue?.count == 1)
            #expect(
                AccountText.summary(person.account, [person.identity], [])
                    == "account \(person.account.id.text) with 1 identity and 0 sessions")
            try await store.shutdown()
        }
    }

    private struct NotClosed: Error {}
#endif
