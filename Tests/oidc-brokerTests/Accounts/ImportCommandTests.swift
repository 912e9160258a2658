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
    import Testing

    @testable import oidc_broker

    /// `accounts import`, `accounts export`, `accounts identities move` and `replace` on a database that a server has open.
    struct ImportCommandTests {
        private let loop = MultiThreadedEventLoopGroup.singleton.any()
        private let folder: String
        private let store: SQLiteAccountStore
        private let options: [String]

        init() throws {
            folder = FileManager.default.temporaryDirectory.path + "/import-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            store = try SQLiteAccountStore.open(path: folder + "/accounts.sqlite", project: "acme")
            options = ["--database", "sqlite:" + folder + "/accounts.sqlite", "--project-id", "acme"]
        }

        private func run<Command: AsyncParsableCommand>(_: Command.Type, _ arguments: [String]) async throws {
            var command = try Command.parse(arguments + options)
            try await command.run()
        }

        private func file(_ name: String, _ text: String) throws -> String {
            try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
            return folder + "/" + name
        }

        private func uids() async throws -> [String] {
            try await store.transact(.read, on: loop) { try $0.accounts(after: nil, limit: 100).map(\.id.text) }.get()
        }

        private static let users = #"""
            {"kind": "identitytoolkit#DownloadAccountResponse", "users": [
            {"localId":"ada","passwordHash":"a-_b","salt":"YQ","createdAt":"1000","lastLoginAt":"2000",
            "providerUserInfo":[{"providerId":"google.com","rawId":"g"}]},
            {"localId":"b\u00fc","createdAt":"1001","providerUserInfo":[{"providerId":"oidc.acme","rawId":"s"}]}
            ]}
            """#

        @Test func `users are imported beside a server, exported, and imported again as they were`() async throws {
            let path = try file("users.json", Self.users)
            await #expect(throws: ValidationError.self) { try await run(ImportAccounts.self, [path]) }
            let issuer = ["--issuer", "oidc.acme=https://acme.example"]
            try await run(ImportAccounts.self, [path, "--dry-run"] + issuer)
            #expect(try await uids() == ["ada"])
            try await run(ImportAccounts.self, [path] + issuer)
            #expect(try await uids() == ["ada", "b\u{FC}"])
            let copy = folder + "/copy.json"
            try await run(ExportAccounts.self, [copy, "--passwords-from", path])
            let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let written = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: copy)))
            let original = try JSONSerialization.jsonObject(with: Data(Self.users.utf8))
            #expect(written as? NSDictionary == original as? NSDictionary)
            await #expect(throws: ExitCode.failure) { try await run(ExportAccounts.self, [copy]) }
            try await store.shutdown()
        }

        @Test func `an export of several pages has each user once, in the order of uids`() async throws {
            let uids = (10_000..<11_201).map(String.init)
            let users = uids.map { #"{"localId":"\#($0)","createdAt":"1000"}"# }.joined(separator: ",\n")
            let kind = #""kind":"identitytoolkit#DownloadAccountResponse""#
            let path = try file("users.json", "{" + kind + #","users":["# + users + "]}")
            try await run(ImportAccounts.self, [path])
            let copy = folder + "/copy.json"
            try await run(ExportAccounts.self, [copy])
            let text = try Data(contentsOf: URL(fileURLWithPath: copy))
            let object = try #require(JSONSerialization.jsonObject(with: text) as? [String: Any])
            let found = try #require(object["users"] as? [[String: Any]])
            #expect(found.map { $0["localId"] as? String } == uids)
        }

        @Test func `a user who is not taken makes the status 1, and the others are there`() async throws {
            let path = try file("users.json", #"{"users":[{"localId":""},{"localId":"ada"}]}"#)
            await #expect(throws: ExitCode.failure) { try await run(ImportAccounts.self, [path]) }
            #expect(try await uids() == ["ada"])
            let rows = try file("users.csv", "a,b,c\n")
            await #expect(throws: ExitCode.failure) { try await run(ImportAccounts.self, [rows]) }
            try await store.shutdown()
        }

        @Test
        func `a broken file does not stop the others, and one that is missing is noticed before anything is written`()
            async throws
        {
            let rows = try file("users.csv", "a,b,c\n")
            let path = try file("users.json", #"{"users":[{"localId":"ada"}]}"#)
            await #expect(throws: ExitCode.failure) {
                try await run(ImportAccounts.self, [path, folder + "/none.json"])
            }
            #expect(try await uids().isEmpty)
            await #expect(throws: ExitCode.failure) { try await run(ImportAccounts.self, [rows, path]) }
            #expect(try await uids() == ["ada"])
            try await store.shutdown()
        }

        @Test func `what an import committed is in the audit, also where it failed midway`() async throws {
            let (audit, config) = (folder + "/audit", folder + "/broker.json")
            let key = P256.Signing.PrivateKey().pemRepresentation
            let settings: JSONObject = [
                "auth": [
                    "public-url": "http://localhost:1", "signing-keys": .string(key), "providers": ["acme"],
                    "sealing-keys": [.string(Base64.encode(SecureRandom.bytes(32)))],
                    "provider": ["acme": ["issuer": "https://acme.example", "client-id": "a", "client-secret": "b"]],
                    "apps": ["shop"],
                    "app": ["shop": ["redirect-uris": ["https://shop.example/callback"], "accounts": true]],
                    "accounts": ["project-id": "acme", "database": .string("sqlite:" + folder + "/accounts.sqlite")],
                ],
                "server": ["log": ["audit": .string(audit)]],
            ]
            #expect(
                FileManager.default.createFile(
                    atPath: config, contents: Data(settings.serialized()), attributes: [.posixPermissions: 0o600]))
            func importUsers(_ text: String) async throws {
                let command = try ImportAccounts.parse([try file("users.json", text), "--update", "--config", config])
                try await command.run()
            }
            try await importUsers(#"{"users":[{"localId":"a"}]}"#)
            // The file is the server's to make.
            #expect(!FileManager.default.fileExists(atPath: audit))
            #expect(FileManager.default.createFile(atPath: audit, contents: nil))
            await #expect(throws: ExitCode.failure) {
                try await importUsers(
                    #"{"users":[{"localId":"a","displayName":"Ada"},{"localId":"b"},{"localId":"c"},{"localId":"d"#)
            }
            try await importUsers(#"{"users":[{"localId":"b"}]}"#)
            let lines = try String(contentsOfFile: audit, encoding: .utf8).split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.first?.contains(#""event":"account_admin_create""#) == true)
            #expect(lines.first?.contains(#""auth.outcome":"succeeded","auth.repeated":"1""#) == true)
            #expect(lines.last?.contains(#""event":"account_admin_update""#) == true)
            #expect(lines.last?.contains("auth.repeated") == false)
            try await store.shutdown()
        }

        #if os(Linux)
            /// A command that reads users from a pipe, in a process of its own.
            private struct PipedCommand {
                private let pipe: FileHandle
                private let process = Process()

                /// - Parameter signals: The option of `env` (GNU) that says which signals the process begins with.
                init(
                    _ signals: String, _ command: [String] = ["import"], path: String, options: [String],
                    output: FileHandle
                ) throws {
                    #expect(mkfifo(path, 0o600) == 0)
                    // Neither end of the pipe waits for the other.
                    pipe = try #require(FileHandle(forUpdatingAtPath: path))
                    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                    process.arguments =
                        [signals, CommandProcess.executable.path, "accounts"] + command + [path] + options
                    process.standardOutput = output
                    process.standardError = output
                    try process.run()
                    try pipe.write(contentsOf: Data(#"{"users":["#.utf8))
                }

                func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

                /// Writes as many users as one transaction takes.
                func writeBatch(_ number: Int, isLast: Bool = false) throws {
                    let batch = AccountLimits.importsInTransaction
                    let users = (number * batch..<(number + 1) * batch).map { #"{"localId":"user-\#($0)"}"# }
                    try write(users.joined(separator: ",") + (isLast ? "]}" : ","), isLast: isLast)
                }

                func write(_ text: String, isLast: Bool = false) throws {
                    try pipe.write(contentsOf: Data(text.utf8))
                    if isLast { try pipe.close() }
                }

                /// Waits for its end.
                /// - Returns: Its status; `nil` if a signal ended it.
                func status() -> Int32? {
                    process.waitUntilExit()
                    return process.terminationReason == .exit ? process.terminationStatus : nil
                }
            }

            /// Imports as many users as one transaction takes.
            private func importBatch(_ signals: String, output: FileHandle) async throws -> PipedCommand {
                let users = try PipedCommand(signals, path: folder + "/pipe", options: options, output: output)
                try users.writeBatch(0)
                while try await numberOfAccounts() == 0 { await Task.yield() }
                return users
            }

            private func numberOfAccounts() async throws -> Int {
                let most = 4 * AccountLimits.importsInTransaction
                return try await store.transact(.list, on: loop) { try $0.accounts(after: nil, limit: most).count }
                    .get()
            }

            @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
            func `an import that is interrupted ends after a batch, and its report says what is there`(
                signal: Int32
            ) async throws {
                let batch = AccountLimits.importsInTransaction
                let report = try file("report", "")
                let output = try #require(FileHandle(forWritingAtPath: report))
                let users = try await importBatch("--default-signal=INT,TERM,HUP", output: output)
                users.send(signal)
                try users.writeBatch(1)
                #expect(users.status() == 1)
                #expect(try String(contentsOfFile: report, encoding: .utf8).contains("added: \(batch),"))
                #expect(try await numberOfAccounts() == batch)
                try await store.shutdown()
            }

            @Test func `an import for which a hang-up is ignored, as under nohup, goes on after one`() async throws {
                let users = try await importBatch("--ignore-signal=HUP", output: .nullDevice)
                users.send(SIGHUP)
                try users.writeBatch(1, isLast: true)
                #expect(users.status() == 0)
                #expect(try await numberOfAccounts() == 2 * AccountLimits.importsInTransaction)
                try await store.shutdown()
            }

            @Test func `an export that is interrupted leaves no file`() async throws {
                let copy = folder + "/copy.json"
                let users = try PipedCommand(
                    "--default-signal=TERM", ["export", copy, "--passwords-from"], path: folder + "/pipe",
                    options: options, output: .nullDevice)
                // A pipe has less room: the command has read, and minds signals.
                try users.write(String(repeating: " ", count: 1_048_576))
                users.send(SIGTERM)
                try users.write("]}", isLast: true)
                #expect(users.status() == 1)
                #expect(!FileManager.default.fileExists(atPath: copy))
                try await store.shutdown()
            }

            @Test func `an import goes on after a line about a user that is not read`() async throws {
                let report = Pipe()
                try report.fileHandleForReading.close()
                let users = try await importBatch("--default-signal=PIPE", output: report.fileHandleForWriting)
                try users.write(#"{"localId":""},"#)
                try users.writeBatch(1, isLast: true)
                _ = users.status()
                #expect(try await numberOfAccounts() == 2 * AccountLimits.importsInTransaction)
                try await store.shutdown()
            }
        #endif

        @Test func `users of one file who are in each other's way are taken in their order`() async throws {
            func user(_ id: String, _ subject: String, email: String? = nil) -> String {
                let address = email.map { #""email":"\#($0)","emailVerified":true,"# } ?? ""
                let identity = #"{"providerId":"google.com","rawId":"\#(subject)"}"#
                return #"{"localId":"\#(id)",\#(address)"providerUserInfo":[\#(identity)]}"#
            }
            let users = [
                user("a", "1", email: "ada@example.com"), user("b", "1"), user("a", "2"),
                user("c", "3", email: "ADA@example.com"), user("d", "4"),
            ]
            let path = try file("users.json", #"{"users":[\#(users.joined(separator: ","))]}"#)
            await #expect(throws: ExitCode.failure) { try await run(ImportAccounts.self, [path]) }
            #expect(try await uids() == ["a", "d"])
            let found = try await store.transact(.read, on: loop) { transaction in
                try ["1", "2", "3", "4"].map { subject in
                    try transaction.identity(IdentityKey(issuer: "https://accounts.google.com", subject: subject))?
                        .account.text
                }
            }.get()
            #expect(found == ["a", nil, nil, "d"])
            try await store.shutdown()
        }

        @Test func `an identity is moved to an account without a way to sign in`() async throws {
            let path = try file(
                "users.json",
                #"{"users":[{"localId":"a","providerUserInfo":[{"providerId":"google.com","rawId":"g"}]},{"localId":"b\u00fc"}]}"#
            )
            try await run(ImportAccounts.self, [path])
            // As it is printed.
            try await run(MoveIdentity.self, ["a", "google.com", #"b\u{fc}"#])
            let key = IdentityKey(issuer: "https://accounts.google.com", subject: "g")
            #expect(try await store.transact(.read, on: loop) { try $0.identity(key)?.account.text }.get() == "b\u{FC}")
            try await store.shutdown()
        }

        @Test func `a dry run finds users of the files who are in each other's way, and leaves nothing`() async throws {
            let one = #"{"localId":"a","providerUserInfo":[{"providerId":"google.com","rawId":"g"}]}"#
            let same = #"{"localId":"b","providerUserInfo":[{"providerId":"google.com","rawId":"g"}]}"#
            let (first, second) = (
                try file("1.json", #"{"users":[\#(one)]}"#), try file("2.json", #"{"users":[\#(same)]}"#)
            )
            await #expect(throws: ExitCode.failure) {
                try await run(ImportAccounts.self, ["--dry-run", first, second])
            }
            try await run(ImportAccounts.self, ["--dry-run", first])
            #expect(try await uids().isEmpty)
            try await store.shutdown()
        }

        @Test func `the tenant of Microsoft Entra is a UUID, and its users have no issuer`() async throws {
            let path = try file(
                "users.json",
                #"{"users":[{"localId":"a","providerUserInfo":[{"providerId":"microsoft.com","rawId":"7c9e6679-7425-40de-944b-e07fc1f90ae7"}]}]}"#
            )
            for wrong in [[], ["--tenant", "common"], ["--issuer", "microsoft.com=https://login.example.com"]] {
                await #expect(throws: (any Error).self) { try await run(ImportAccounts.self, [path] + wrong) }
            }
            #expect(try await uids().isEmpty)
            let tenant = "0f8fad5b-d9cb-469f-a165-70867728950e"
            try await run(ImportAccounts.self, [path, "--tenant", tenant])
            #expect(try await uids() == ["a"])
            try await store.shutdown()
        }

        @Test func `the subject of an identity is replaced`() async throws {
            let path = try file("users.json", Self.users)
            try await run(ImportAccounts.self, [path, "--issuer", "oidc.acme=https://acme.example"])
            try await run(ReplaceIdentity.self, ["ada", "google.com", "new"])
            let issuer = "https://accounts.google.com"
            let found = try await store.transact(.read, on: loop) { transaction in
                try ["g", "new"].map { subject in
                    try transaction.identity(IdentityKey(issuer: issuer, subject: subject))?.account.text
                }
            }.get()
            #expect(found == [nil, "ada"])
            for subject in ["", "\u{E9}", String(repeating: "s", count: 256)] {
                await #expect(throws: (any Error).self) {
                    try await run(ReplaceIdentity.self, ["ada", "google.com", subject])
                }
            }
            await #expect(throws: (any Error).self) {
                try await run(ReplaceIdentity.self, ["ada", "oidc.acme", "other"])
            }
            try await store.shutdown()
        }

        @Test func `an issuer is named once, and one that no provider of the configuration has is remarked`() {
            #expect(throws: (any Error).self) {
                try ImportAccounts.parse(
                    ["a.json", "--issuer", "oidc.a=https://a", "--issuer", "oidc.a=https://b"] + options)
            }
            let providers = [(id: "oidc.a", issuers: ["https://a"])]
            let issuers = ["oidc.a": "https://a/", "oidc.b": "https://a"]
            let remarks = ImportAccounts.remarks(on: Array(issuers.keys), issuer: { issuers[$0] }, providers)
            #expect(remarks.count == 1 && remarks.first?.hasPrefix("oidc.a: ") == true)
            #expect(ImportAccounts.remarks(on: Array(issuers.keys), issuer: { issuers[$0] }, []).isEmpty)
        }

        @Test func `the progress has a bar, a rate and the time left`() {
            #expect(
                ImportProgress.line(users: 500, bytes: 25, of: 100, seconds: 10)
                    == "[#####...............] 25 %, 500 users, 50 a second, 30 s left")
            #expect(ImportProgress.line(users: 0, bytes: 0, of: 0, seconds: 0).hasSuffix("0 a second, - left"))
        }
    }
#endif
