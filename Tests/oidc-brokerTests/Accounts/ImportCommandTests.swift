// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import AccountsSQLite
    import ArgumentParser
    import Foundation
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

        @Test func `a user who is not taken makes the status 1, and the others are there`() async throws {
            let path = try file("users.json", #"{"users":[{"localId":""},{"localId":"ada"}]}"#)
            await #expect(throws: ExitCode.failure) { try await run(ImportAccounts.self, [path]) }
            #expect(try await uids() == ["ada"])
            let rows = try file("users.csv", "a,b,c\n")
            await #expect(throws: ExitCode.failure) { try await run(ImportAccounts.self, [rows]) }
            try await store.shutdown()
        }

        @Test func `an identity is moved to an account that nobody can enter`() async throws {
            let path = try file(
                "users.json",
                #"{"users":[{"localId":"a","providerUserInfo":[{"providerId":"google.com","rawId":"g"}]},{"localId":"b"}]}"#
            )
            try await run(ImportAccounts.self, [path])
            try await run(MoveIdentity.self, ["a", "google.com", "b"])
            let key = IdentityKey(issuer: "https://accounts.google.com", subject: "g")
            #expect(try await store.transact(.read, on: loop) { try $0.identity(key)?.account.text }.get() == "b")
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

        @Test func `the progress has a bar, a rate and the time left`() {
            #expect(
                ImportProgress.line(users: 500, bytes: 25, of: 100, seconds: 10)
                    == "[#####...............] 25 %, 500 users, 50 a second, 30 s left")
            #expect(ImportProgress.line(users: 0, bytes: 0, of: 0, seconds: 0).hasSuffix("0 a second, - left"))
        }
    }
#endif
