// SPDX-License-Identifier: Apache-2.0

#if SQLite || PostgreSQL
    import Accounts
    import AccountsTransfer
    import ArgumentParser
    import JOSE
    import NIOCore
    import NIOPosix

    struct ExportAccounts: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write the accounts to a new file, in the form of accounts:batchGet of Firebase.",
            discussion: """
                Only the owner can read the file. `oidc-broker accounts import` and `import_users` of firebase-admin \
                create the same users from it.

                Example: oidc-broker accounts export users.json --config broker.yaml
                """)

        @OptionGroup var database: AccountsDatabase
        @Argument(help: "The new file, which must not exist.", completion: .file()) var file: String

        @Flag(help: "Write the form that `firebase auth:import` accepts, and report the data that is left out.")
        var forFirebaseTools = false

        @Option(
            help: ArgumentHelp(
                "A file from which users were imported: their passwords are taken from there, and held in memory.",
                valueName: "file"),
            completion: .file(extensions: ["json"]))
        var passwordsFrom: [String] = []

        private static let page = 500

        /// The command was interrupted.
        private struct Interrupted: Error, CustomStringConvertible {
            let description = "interrupted: nothing was exported"
        }

        func run() async throws {
            let encoder = UserEncoder(forFirebaseTools ? .firebaseTools : .full)
            let path = file
            let (count, lost) = try await Interruption.noting {
                let known = try passwords()
                return try await database.use { store, _ in try await Self.write(to: path, encoder, known, store) }
            }
            let leftOut = lost.sorted { $0.key < $1.key }
            database.output(
                (["users: \(count)"] + leftOut.map { "  left out \($0.key): \($0.value)" }).joined(separator: "\n"),
                [
                    "users": .number(JSONNumber(Int64(count))),
                    "leftOut": .object(
                        leftOut.reduce(into: JSONObject()) { $0[$1.key] = .number(JSONNumber(Int64($1.value))) }),
                ])
        }

        private func passwords() throws -> UserPasswords {
            var passwords = UserPasswords()
            for path in passwordsFrom {
                let file = try UserFile(reading: path)
                var reader = UserReader { try file.next() }
                try passwords.read(&reader)
            }
            let count = passwords.redactedCount
            if count > 0 {
                StandardError.write(
                    "the files do not have the hashes of \(count) passwords: fetch the users with an account "
                        + "that has the permission firebaseauth.configs.getHashConfig")
            }
            return passwords
        }

        /// - Returns: The number of users, and how often what was left out.
        private static func write(
            to path: String, _ encoder: UserEncoder, _ passwords: UserPasswords, _ store: any AccountStore
        ) async throws -> (Int, [String: Int]) {
            let file = try UserFile(making: path)
            do {
                return try await write(to: file, encoder, passwords, store)
            } catch {
                // What is not complete must not pass for an export, nor be in the way of the next one.
                file.remove()
                if error is CancellationError { throw Interrupted() }
                throw error
            }
        }

        private static func write(
            to file: UserFile, _ encoder: UserEncoder, _ passwords: UserPasswords, _ store: any AccountStore
        ) async throws -> (Int, [String: Int]) {
            let loop = MultiThreadedEventLoopGroup.singleton.any()
            try file.append(Array("{\"kind\":\"identitytoolkit#DownloadAccountResponse\",\"users\":[".utf8))
            var (count, lost): (Int, [String: Int]) = (0, [:])
            func read(after id: AccountID?) -> EventLoopFuture<[(account: Account, identities: [AccountIdentity])]> {
                store.transact(.list, on: loop) { try $0.page(after: id, limit: page) }
            }
            func append(_ users: EncodedUsers) throws {
                try file.append(Array((count == 0 ? "\n" : ",\n").utf8) + users.bytes)
                count += users.count
                lost.merge(users.lost, uniquingKeysWith: +)
                for (user, providers) in users.lostProviders {
                    let names = providers.joined(separator: ", ")
                    StandardError.write("uid \(user): left out identities of \(names)")
                }
            }
            // While a page is read, the two before it are encoded.
            var next = read(after: nil)
            var former: Task<EncodedUsers, Never>?
            while true {
                try Interruption.check()
                let accounts = try await next.get()
                let encoded = accounts.last.map { end in
                    next = read(after: end.account.id)
                    return Task { EncodedUsers(accounts, by: encoder, with: passwords) }
                }
                if let users = await former?.value { try append(users) }
                guard let encoded else { break }
                former = encoded
            }
            try file.append(Array("\n]}\n".utf8))
            try file.finish()
            return (count, lost)
        }
    }
#endif
