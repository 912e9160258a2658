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
                make the same users of it again.

                Example: oidc-broker accounts export users.json --config broker.yaml
                """)

        @OptionGroup var database: AccountsDatabase
        @Argument(help: "The new file, which must not exist.", completion: .file()) var file: String

        @Flag(help: "Write what `firebase auth:import` takes, and say what it does not take and is left out.")
        var forFirebaseTools = false

        @Option(
            help: ArgumentHelp(
                "A file from which users were imported: their passwords are taken from there, and held in memory.",
                valueName: "file"),
            completion: .file(extensions: ["json"]))
        var passwordsFrom: [String] = []

        private static let page = 500

        func run() async throws {
            let encoder = UserEncoder(forFirebaseTools ? .firebaseTools : .full)
            var passwords = UserPasswords()
            for path in passwordsFrom {
                let file = try UserFile(reading: path)
                var reader = UserReader { try file.next() }
                try passwords.read(&reader)
            }
            let (path, known) = (file, passwords)
            try await database.use { store, _ in
                try await Self.write(to: path, encoder, known, store)
            }
        }

        private static func write(
            to path: String, _ encoder: UserEncoder, _ passwords: UserPasswords, _ store: any AccountStore
        ) async throws {
            let loop = MultiThreadedEventLoopGroup.singleton.any()
            let file = try UserFile(making: path)
            try file.append(Array("{\"kind\":\"identitytoolkit#DownloadAccountResponse\",\"users\":[".utf8))
            var (after, count, lost): (AccountID?, Int, [String: Int]) = (nil, 0, [:])
            while true {
                let last = after
                let accounts = try await store.transact(.list, on: loop) { transaction in
                    try transaction.accounts(after: last, limit: page).map { account in
                        (account, try transaction.identities(of: account.id))
                    }
                }.get()
                guard let end = accounts.last else { break }
                var bytes: [UInt8] = []
                for (account, identities) in accounts {
                    let (user, loss) = encoder.user(account, identities, password: passwords[account.id])
                    bytes += Array((count == 0 ? "\n" : ",\n").utf8)
                    bytes += user.serialized()
                    count += 1
                    for name in loss.providers + loss.members { lost[name, default: 0] += 1 }
                    if !loss.providers.isEmpty {
                        let names = loss.providers.joined(separator: ", ")
                        StandardError.write("uid \(account.id): left out identities of \(names)")
                    }
                }
                try file.append(bytes)
                after = end.0.id
            }
            try file.append(Array("\n]}\n".utf8))
            try file.finish()
            print("users: \(count)")
            for (name, count) in lost.sorted(by: { $0.key < $1.key }) { print("  left out \(name): \(count)") }
        }
    }
#endif
